import { Client, type ClientConfig } from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import { StartFault } from '../../process/config.ts'

/** our choice: how long, in ms, an engine waits for the one before, whose end the server may not have seen yet. */
const PATIENCE_MS = 3_000
const TRY_MS = 100
/** our choice: how often, in ms, the connection is tried, and how long an answer may take. */
const BEAT_MS = 5_000
/**
 * our choice: the server frees the store of a machine that is gone without a word after 11 s. That is later than this
 * process notices that the server is gone, so that two never hold it.
 */
const SERVER_NOTICES =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=11000'
/** PostgreSQL's words for a database that one has no part in: SQLSTATE class 28, and 3D000. */
const REFUSED = /^(28|3D)/

/** The one connection that holds the store for this process. */
export interface Holder {
  readonly client: Client
  /** Gives the store free. */
  release(): Promise<void>
}

/**
 * Takes the store of a database for this process, by a lock that lasts as long as its connection: a second engine would
 * open the same devices twice. Throws a StartFault that says what to do. `lost` is called once when the connection is
 * gone, because then another engine may take the store.
 */
export async function holdStore(config: ClientConfig, name: string, lost: (why: string) => void): Promise<Holder> {
  const client = new Client({ ...config, options: `${config.options ?? ''} ${SERVER_NOTICES}` })
  let isOver = false
  function end(why: string): void {
    if (isOver) return
    isOver = true
    lost(why)
  }
  // The library tells both; without a listener the first would end the process without words.
  let hear: (why: string) => void = () => {}
  client.on('error', (error) => hear(error.message))
  client.on('end', () => hear('the connection ended'))
  await client.connect().catch((error: unknown) => {
    throw connectFault(error)
  })
  if (!(await take(client, name))) {
    await client.end()
    throw new StartFault(
      'ENGINE_DATABASE_URL names a database that another engine holds: stop it, or set ENGINE_DATABASE_URL to another database',
    )
  }
  hear = end
  const beat = setInterval(() => ask(client, end), BEAT_MS)
  return {
    client,
    async release() {
      isOver = true
      clearInterval(beat)
      await client.end()
    },
  }
}

/** Asks the server whether it is there. */
function ask(client: Client, end: (why: string) => void): void {
  let isAnswered = false
  // An answer that came while this process was busy is read first.
  const late = setTimeout(
    () => setImmediate(() => setImmediate(() => (isAnswered ? undefined : end(`no answer for ${BEAT_MS} ms`)))),
    BEAT_MS - TRY_MS,
  )
  client
    .query('select 1')
    .catch((error: unknown) => end(error instanceof Error ? error.message : 'it failed'))
    .finally(() => {
      isAnswered = true
      clearTimeout(late)
    })
}

async function take(client: Client, name: string): Promise<boolean> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const { rows } = await client.query<{ is_ours: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_ours',
      [name],
    )
    if (rows[0]?.is_ours) return true
    if (Date.now() >= until) return false
    await pause(TRY_MS)
  }
}

/** What to do about a database that cannot be reached. The address is not told, because a password may stand in it. */
function connectFault(error: unknown): StartFault {
  const { code = '', message } = error as { code?: string; message: string }
  if (REFUSED.test(code))
    return new StartFault(`ENGINE_DATABASE_URL is refused (${message}): name a user and a database that are there`)
  return new StartFault(
    `ENGINE_DATABASE_URL cannot be reached (${code || message}): start PostgreSQL, or correct host and port`,
  )
}

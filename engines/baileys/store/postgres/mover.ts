import { Client } from 'pg'
import { StartFault } from '../../process/config.ts'
import { migrate } from './migrate.ts'
import { configOf, type PostgresOptions } from './postgres-driver.ts'

/** our choice: how long, in ms, a move waits for the one before, whose end the server may not have seen yet. */
const PATIENCE_MS = 3_000
/**
 * our choice: the server frees the lock of a move whose machine is gone without a word after 11 s, as its transaction.
 */
const SERVER_NOTICES =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=11000'
/** Who holds a number that moves, or that moved away, in the words of the leases. No engine has this id. */
const MOVE = 'move'

export type MoverOptions = Pick<PostgresOptions, 'url' | 'schema' | 'key'>

/** The store of a database while numbers move from or to it. Other numbers may be in use meanwhile. */
export interface Mover {
  /** Finds the tables of the store by their names alone. */
  readonly client: Client
  /**
   * Takes a number, within the transaction under way: no engine opens it from now on. False when one holds it, or when
   * it died so recently that its lease is not over.
   */
  hold(numberId: string): Promise<boolean>
  /** Lets engines take a number. */
  free(numberId: string): Promise<void>
  /** Ends the move; numbers that were not freed stay taken. */
  release(): Promise<void>
}

/**
 * Opens the store of a database for a move, and makes it when there is none. The connection that moves has a lock of
 * its own: once the next move has that lock, no transaction of the one before is under way any more. Throws a
 * StartFault that says what to do.
 */
export async function openMover({ url, schema, key }: MoverOptions): Promise<Mover> {
  const config = configOf(url)
  await migrate(config, schema, key)
  const client = new Client({ ...config, options: `${config.options ?? ''} ${SERVER_NOTICES}` })
  // Whoever asks hears of it by himself.
  client.on('error', () => {})
  try {
    await client.connect()
    await lock(client, `engine move ${schema}`)
    await client.query(`set search_path = ${schema}, pg_temp`)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return {
    client,
    async hold(numberId) {
      const { rowCount } = await client.query(
        `insert into number_leases as lease (number_id, engine_id, token, expires_at) values ($1, '${MOVE}', 1, '9999-12-31')
        on conflict (number_id) do update set engine_id = excluded.engine_id, token = lease.token + 1, expires_at = excluded.expires_at
          where lease.engine_id is null or lease.engine_id = excluded.engine_id or lease.expires_at + interval '1 minute' < clock_timestamp()`,
        [numberId],
      )
      return rowCount === 1
    },
    async free(numberId) {
      await client.query(
        `update number_leases set engine_id = null, expires_at = clock_timestamp() where number_id = $1 and engine_id = '${MOVE}'`,
        [numberId],
      )
    },
    release: () => client.end(),
  }
}

async function lock(client: Client, name: string): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${PATIENCE_MS}`)
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    await client.query('reset lock_timeout')
  } catch {
    throw new StartFault('Another move of the database of ENGINE_DATABASE_URL is under way: wait until it ended')
  }
}

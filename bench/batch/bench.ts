/**
 * Measures batches of 1,000 messages: how long one takes to be accepted, against a bare Koa route that inserts as many
 * rows in one statement, in turns in the same run; on both databases; and how long single sends of another number take
 * meanwhile. Needs PostgreSQL (bench/programs.ts).
 *
 *   node bench/batch/bench.ts [batches a turn]
 */
import { at, install, postJson, startServer, stopServer, type Installation, type Server } from '../programs.ts'

const BATCHES = Number(process.argv[2] ?? 20)
const TURNS = 3
const MESSAGES = 1_000
/** Single sends beside batches. */
const SENDS = 300

async function numberKey({ gateway, tenantKey }: Installation, digits: string): Promise<string> {
  const { apiKey } = await postJson(
    `http://127.0.0.1:${gateway.port}/v1/numbers`,
    { name: 'Bench', number: digits },
    { 'x-api-key': tenantKey },
  )
  return apiKey.key
}

/** A batch to people of whom nobody was written to before. */
function batchOf(which: number): { messages: object[] } {
  return {
    messages: Array.from({ length: MESSAGES }, (_, place) => ({
      destinationNumber: String(5_511_900_000_009 + (which * MESSAGES + place) * 10),
      text: 'Your order 4711 is on its way.',
    })),
  }
}

let posted = 0

/** Posts batches one after another. Answers how many ms each took, sorted. */
async function post({ port }: Server, path: string, key: string, count: number): Promise<number[]> {
  const took: number[] = []
  for (let left = count; left > 0; left--) {
    const body = batchOf(posted++)
    const fromMs = performance.now()
    const { accepted } = await postJson(`http://127.0.0.1:${port}${path}`, body, { 'x-api-key': key })
    took.push(performance.now() - fromMs)
    if (accepted !== MESSAGES) throw new Error(`${accepted} messages were accepted`)
  }
  return took.toSorted((a, b) => a - b)
}

function told(what: string, took: readonly number[]): void {
  console.log(
    `${what}: p50 ${at(took, 0.5).toFixed(0)} ms, p99 ${at(took, 0.99).toFixed(0)} ms, ${took.length} batches`,
  )
}

async function onPostgres(): Promise<void> {
  const installation = await install('postgres', { LOG_LEVEL: 'warn', SENDS_PER_MINUTE: '10000000' })
  const bare = await startServer('batch/bare.ts', { BARE_DATABASE_URL: installation.databaseUrl ?? '' })
  try {
    const key = await numberKey(installation, '5511988887777')
    await post(installation.gateway, '/v1/messages/batch', key, 3)
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < TURNS; turn++) {
      theirs.push(...(await post(bare, '/', '', BATCHES)))
      ours.push(...(await post(installation.gateway, '/v1/messages/batch', key, BATCHES)))
    }
    told(
      'bare insert of 1,000 rows',
      theirs.toSorted((a, b) => a - b),
    )
    told(
      'gateway, 1,000 accepted (target p99 1,000)',
      ours.toSorted((a, b) => a - b),
    )
    await beside(installation, key)
  } finally {
    await stopServer(bare)
    await installation.close()
  }
}

/** Single sends of another number, alone and while batches are accepted one after another. */
async function beside(installation: Installation, key: string): Promise<void> {
  const other = await numberKey(installation, '5511977776666')
  const sends = async (): Promise<number[]> => {
    const took: number[] = []
    for (let left = SENDS; left > 0; left--) {
      const fromMs = performance.now()
      await postJson(
        `http://127.0.0.1:${installation.gateway.port}/v1/messages/send`,
        { destinationNumber: '5511966665555', text: 'Hello' },
        { 'x-api-key': other },
      )
      took.push(performance.now() - fromMs)
    }
    return took.toSorted((a, b) => a - b)
  }
  const alone = await sends()
  const end = new AbortController()
  const batches = (async () => {
    let count = 0
    for (; !end.signal.aborted; count++) await post(installation.gateway, '/v1/messages/batch', key, 1)
    return count
  })()
  const together = await sends()
  end.abort()
  const count = await batches
  for (const [what, took] of [
    ['single sends of another number, alone', alone],
    [`the same beside ${count} batches`, together],
  ] as const)
    console.log(`${what}: p50 ${at(took, 0.5).toFixed(1)} ms, p99 ${at(took, 0.99).toFixed(1)} ms`)
}

async function embedded(): Promise<void> {
  const installation = await install('embedded', { LOG_LEVEL: 'warn', SENDS_PER_MINUTE: '10000000' })
  try {
    const key = await numberKey(installation, '5511988887777')
    told('embedded, 1,000 accepted', await post(installation.gateway, '/v1/messages/batch', key, BATCHES))
  } finally {
    await installation.close()
  }
}

await onPostgres()
await embedded()

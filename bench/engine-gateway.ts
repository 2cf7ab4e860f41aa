/**
 * Measures gateway, engine and offline network, each a process of its own: how long a text takes from its phone to the
 * gateway's row, and how fast the gateway answers reads while a history is imported beside numbers that are connected.
 * Once with the engine's store in SQLite, and once in PostgreSQL where BENCH_DATABASE_URL or TEST_DATABASE_URL names a
 * server; texts go to both in turns. The gateways use PostgreSQL and Redis when TEST_DATABASE_URL is set, embedded
 * stores otherwise.
 *
 *   node bench/engine-gateway.ts [texts, 200] [messages of history, 50000] [numbers beside, 300]
 */
import { randomBytes } from 'node:crypto'
import { EngineWorld } from '../test/helpers/engine-world.ts'
import { Service, type PairedNumber } from '../test/helpers/service.ts'
import { until } from '../test/helpers/until.ts'
import { at, createDatabase } from './programs.ts'

const TEXTS = Number(process.argv[2] ?? 200)
const HISTORY = Number(process.argv[3] ?? 50_000)
const BESIDE = Number(process.argv[4] ?? 300)
const PEER = '5511999990001'
/** Turns that the stores take. */
const TURNS = 4
/** Targets, in ms. */
const MOST_ROW_P50_MS = 30
const MOST_READ_P99_MS = 250

/** A gateway with an engine, and the store of that engine. */
interface Together {
  readonly store: 'SQLite' | 'PostgreSQL'
  readonly world: EngineWorld
  readonly service: Service
  /** One that imports its history, and those beside it. */
  readonly number: PairedNumber
  readonly beside: readonly PairedNumber[]
}

const ends: (() => Promise<unknown>)[] = []

function shown(values: readonly number[], share: number): string {
  return at(
    values.toSorted((one, other) => one - other),
    share,
  ).toFixed(1)
}

/** The environment of an engine whose store is in a database of its own. */
async function inPostgres(): Promise<Readonly<Record<string, string>>> {
  const database = await createDatabase()
  ends.push(() => database.drop())
  return { ENGINE_DATABASE_URL: database.url, ENGINE_KEY: randomBytes(32).toString('base64') }
}

async function open(store: Together['store']): Promise<Together> {
  const world = await EngineWorld.open(store === 'SQLite' ? {} : await inPostgres())
  ends.push(() => world.stop())
  const service = await Service.start({ env: { ...world.env, LOG_LEVEL: 'warn', REQUESTS_PER_MINUTE: '10000000' } })
  ends.push(() => service.stop())
  const digits = Array.from({ length: BESIDE }, (_, index) => String(5_511_988_830_000 + index))
  const beside = await world.pair(service, digits)
  const [number] = await world.pair(service, ['5511988820002'], { historyImportEnabled: true })
  if (!number) throw new Error('no number')
  return { store, world, service, number, beside }
}

async function newest({ service }: Together, { key }: PairedNumber): Promise<{ externalMessageId?: string }> {
  return (await service.api('GET', '/v1/messages/history?pageSize=1', key)).body.messages[0] ?? {}
}

/** Sends one text at a time and polls for its row without a pause, so each figure includes the length of one read. */
async function rows(together: Together, texts: number): Promise<readonly number[]> {
  const [number = together.number] = together.beside
  const took: number[] = []
  for (let index = 0; index < texts; index++) {
    const sentAt = performance.now()
    const { id } = await together.world.network.post<{ id: string }>(`/control/phones/${PEER}/text`, {
      to: number.digits,
      text: `text ${index}`,
    })
    while ((await newest(together, number)).externalMessageId !== id) {
      /* asks again */
    }
    took.push(performance.now() - sentAt)
  }
  return took
}

async function rowsInTurns(all: readonly Together[]): Promise<void> {
  const took = all.map((): number[] => [])
  for (let turn = 0; turn < TURNS; turn++)
    for (const [place, together] of all.entries())
      took[place]?.push(...(await rows(together, Math.ceil(TEXTS / TURNS))))
  for (const [place, { store }] of all.entries())
    console.log(
      `${store} row: p50 ${shown(took[place] ?? [], 0.5)} ms, p99 ${shown(took[place] ?? [], 0.99)} ms from a phone to the gateway's row (p50 most ${MOST_ROW_P50_MS})`,
    )
}

/** How many messages of a number the gateway keeps. */
async function keptOf({ service, number }: Together): Promise<number> {
  const totals = await Promise.all(
    ['INBOUND', 'OUTBOUND'].map(
      async (direction) =>
        (await service.api('GET', `/v1/messages/history?pageSize=1&direction=${direction}`, number.key)).body
          .total as number,
    ),
  )
  return totals.reduce((sum, total) => sum + total, 0)
}

/** Reads until `signal` aborts: the number whose history is imported and each other one, one after another. */
async function read({ service, number, beside }: Together, signal: AbortSignal): Promise<readonly number[]> {
  const took: number[] = []
  for (let turn = 0; !signal.aborted; turn++) {
    const of = turn % 2 === 0 ? number : (beside[turn % beside.length] ?? number)
    const sentAt = performance.now()
    await service.api('GET', '/v1/messages/history?pageSize=50', of.key)
    took.push(performance.now() - sentAt)
  }
  return took
}

/** Resolves once the gateway keeps so many messages of the number; rejects when it stops to keep more. */
async function untilKept(together: Together, messages: number): Promise<void> {
  for (let kept = -1; kept < messages;)
    kept = await until('more of the history is kept', async () => {
      const now = await keptOf(together)
      return now > kept ? now : null
    })
}

async function history(together: Together): Promise<void> {
  const { store, world, number, beside } = together
  const startMs = performance.now()
  const before = await keptOf(together)
  const ending = new AbortController()
  const reading = read(together, ending.signal)
  // A failure of the import is told rather than that of reads after it.
  reading.catch(() => {})
  try {
    await world.network.post(`/control/phones/${number.digits}/history`, { messages: HISTORY, chats: 50 })
    await untilKept(together, before + HISTORY)
  } finally {
    ending.abort()
  }
  const took = await reading
  console.log(
    `${store} history: ${HISTORY} messages kept in ${((performance.now() - startMs) / 1000).toFixed(0)} s beside ${beside.length} numbers; ${took.length} reads meanwhile, p50 ${shown(took, 0.5)} ms, p99 ${shown(took, 0.99)} ms (p99 most ${MOST_READ_P99_MS})`,
  )
}

try {
  const hasServer = (process.env['BENCH_DATABASE_URL'] ?? process.env['TEST_DATABASE_URL']) !== undefined
  const all = [await open('SQLite'), ...(hasServer ? [await open('PostgreSQL')] : [])]
  await rowsInTurns(all)
  for (const together of all) await history(together)
} finally {
  for (const end of ends.toReversed()) await end()
  process.exit()
}

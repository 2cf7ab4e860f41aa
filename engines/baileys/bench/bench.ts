/**
 * The engine beside the offline network, on SQLite and, in turns with it, on PostgreSQL (a database of its own on the
 * server of BENCH_DATABASE_URL or TEST_DATABASE_URL): memory of an idle linked session, CPU of a message in and one
 * out, how long an inbound message takes to the bridge, and the statements of an engine at rest. The network runs in
 * this process, each engine in its own: only the engine and the server's processes for it are counted.
 *
 *   node engines/baileys/bench/bench.ts [sessions, default 300] [pairs, default 1000]
 */
import { setTimeout as pause } from 'node:timers/promises'
import { countStatements } from '../../../test/helpers/statement-count.ts'
import type { LinkedNumber } from '../test/helpers/linked-number.ts'
import { openNetwork } from '../test/network/network.ts'
import { silenceConsole } from '../test/network/silent-logger.ts'
import { createOwnDatabase } from './own-database.ts'
import { at, cpuMs, residentMib } from './process-figures.ts'
import { createTeardowns, linkUntil, startOnPostgres, startOnStores, type MeasuredEngine } from './stores.ts'

const SESSIONS = Number(process.argv[2] ?? 300)
const PAIRS = Number(process.argv[3] ?? 1_000)
/** How many numbers exchange messages at once. */
const LANES = 10
/** Turns that the stores take, and single messages of each turn. */
const TURNS = 5
const SINGLES = 40
const REST_SECONDS = 20
/** Numbers of the engine whose statements at rest are counted. */
const RESTING = 20

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const teardowns = createTeardowns()
silenceConsole()
const network = await openNetwork()

/** Measures an idle session. It waits until memory is steady, because what linking left is collected gradually. */
async function idle({ store, engine: { pid } }: MeasuredEngine, base: number): Promise<void> {
  let lowest = residentMib(pid)
  const cpu = cpuMs(pid)
  for (let second = 0; second < REST_SECONDS; second++) {
    await pause(1_000)
    lowest = Math.min(lowest, residentMib(pid))
  }
  say(
    `${store} idle: ${lowest.toFixed(0)} MiB for ${SESSIONS} sessions, ${((lowest - base) / SESSIONS).toFixed(2)} MiB each (most 1.5); ${((cpuMs(pid) - cpu) / REST_SECONDS / SESSIONS).toFixed(2)} ms of CPU a second each`,
  )
}

async function linkAll(measured: MeasuredEngine): Promise<void> {
  const { store, engine } = measured
  const base = residentMib(engine.pid)
  const cpu = cpuMs(engine.pid)
  await linkUntil(teardowns, network, measured, SESSIONS)
  say(
    `${store}: ${base.toFixed(0)} MiB without a session, ${((cpuMs(engine.pid) - cpu) / SESSIONS).toFixed(0)} ms of CPU to link a number`,
  )
  await idle(measured, base)
}

async function pair({ client, number }: LinkedNumber, lane: number, name: string): Promise<number> {
  const sender = network.phone(`5511888881${String(lane).padStart(3, '1')}`)
  const text = `${lane} ${name}`
  const sentAt = performance.now()
  await sender.text(number, text)
  await client.find(({ content }) => content?.text === text)
  const tookMs = performance.now() - sentAt
  const answer = await client.ask('message.send', {
    messageId: `msg_${lane}_${name.replaceAll(' ', '_')}`,
    to: sender.number,
    content: { type: 'text', text },
  })
  if (!answer.ok) throw new Error(`send: ${answer.error?.code}`)
  client.events.length = 0
  return tookMs
}

interface Turn {
  readonly perSecond: number
  readonly engineMs: number
  /** Null on SQLite, which works in the engine, and where the server is on another machine. */
  readonly serverMs: number | null
}

/** One turn of a store: pairs over all lanes, in CPU a pair and pairs a second. */
async function turnOf({ engine, database, linked }: MeasuredEngine, turn: number): Promise<Turn> {
  const lanes = linked.slice(0, LANES)
  const count = Math.ceil(PAIRS / TURNS / lanes.length)
  await Promise.all(lanes.map((of, lane) => pair(of, lane, `${turn} before`)))
  await database?.cpuMs()
  const cpu = cpuMs(engine.pid)
  const startMs = performance.now()
  await Promise.all(
    lanes.map(async (of, lane) => {
      for (let index = 0; index < count; index++) await pair(of, lane, `${turn} ${index}`)
    }),
  )
  const pairs = count * lanes.length
  const serverMs = (await database?.cpuMs()) ?? null
  return {
    perSecond: (pairs * 1_000) / (performance.now() - startMs),
    engineMs: (cpuMs(engine.pid) - cpu) / pairs,
    serverMs: serverMs === null ? null : serverMs / pairs,
  }
}

async function pairs(engines: readonly MeasuredEngine[]): Promise<void> {
  const turns = engines.map((): Turn[] => [])
  for (let turn = 0; turn < TURNS; turn++)
    for (const [place, measured] of engines.entries()) turns[place]?.push(await turnOf(measured, turn))
  const median = (of: readonly Turn[], read: (turn: Turn) => number): number => at(of.map(read), 0.5)
  for (const [place, { store }] of engines.entries()) {
    const own = turns[place] ?? []
    const each = median(own, ({ engineMs }) => engineMs)
    const server = own.every(({ serverMs }) => serverMs === null)
      ? ''
      : ` and ${median(own, ({ serverMs }) => serverMs ?? 0).toFixed(1)} ms of its server`
    say(
      `${store} pairs: ${each.toFixed(1)} ms of CPU${server} for a message in and one out, ${(1_000 / each).toFixed(0)} a second on one core (least 150); ${median(own, ({ perSecond }) => perSecond).toFixed(0)} a second beside the network on this machine`,
    )
  }
  const [sqlite, postgres] = turns
  if (sqlite && postgres)
    say(
      `PostgreSQL of SQLite, ${TURNS} turns each: ${(median(postgres, ({ perSecond }) => perSecond) / median(sqlite, ({ perSecond }) => perSecond)).toFixed(2)} of the pairs a second (least 0.8), ${(median(postgres, ({ engineMs }) => engineMs) / median(sqlite, ({ engineMs }) => engineMs)).toFixed(2)} x the engine's CPU`,
    )
}

/** Measures one message at a time, so that none waits for another. */
async function latency(engines: readonly MeasuredEngine[]): Promise<void> {
  const took = engines.map((): number[] => [])
  for (let turn = 0; turn < TURNS; turn++)
    for (const [place, { linked }] of engines.entries()) {
      const [of] = linked
      if (!of) continue
      for (let index = 0; index < SINGLES; index++) took[place]?.push(await pair(of, 500 + place, `${turn} ${index}`))
    }
  for (const [place, { store }] of engines.entries())
    say(
      `${store} inbound: p50 ${at(took[place] ?? [], 0.5).toFixed(1)} ms, p99 ${at(took[place] ?? [], 0.99).toFixed(1)} ms from a phone to the bridge, its own encryption included (p50 most 30)`,
    )
}

/** Counts statements of an engine at rest, through a proxy before its database. */
async function rest(): Promise<void> {
  const database = await createOwnDatabase()
  if (database === null) return
  teardowns.scope.teardown(() => database.drop())
  const statements = await countStatements(database.url)
  teardowns.scope.teardown(() => statements.close())
  const engine = await startOnPostgres(teardowns, network, statements.url)
  const measured: MeasuredEngine = { store: 'PostgreSQL', engine, database, linked: [], prefix: '551193' }
  await linkUntil(teardowns, network, measured, RESTING)
  // What linking left to write.
  await pause(REST_SECONDS * 1_000)
  statements.take()
  await pause(REST_SECONDS * 1_000)
  const counts = [...statements.take()].toSorted(([, one], [, other]) => other - one)
  const sum = counts.reduce((total, [, times]) => total + times, 0)
  say(
    `PostgreSQL at rest: ${(sum / REST_SECONDS).toFixed(2)} statements a second of an engine with ${RESTING} numbers (most 3)`,
  )
  for (const [text, times] of counts.slice(0, 5)) say(`  ${(times / REST_SECONDS).toFixed(2)}: ${text.slice(0, 90)}`)
}

try {
  const engines = await startOnStores(teardowns, network)
  for (const measured of engines) await linkAll(measured)
  await pairs(engines)
  await latency(engines)
  await rest()
} finally {
  await teardowns.run()
  process.exit()
}

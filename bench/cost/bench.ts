/**
 * Measures what a message costs: a text is sent, gets its three statuses, and each of its events goes to one webhook.
 * Tells bytes in tables and indexes by table, rows, statements, the write-ahead log, and the processor time of gateway
 * and PostgreSQL, each by message. Needs PostgreSQL (bench/programs.ts), and no other use of that server meanwhile.
 *
 *   node bench/cost/bench.ts [messages, 4000] [known|new]
 *
 * `known`: one number and its webhook, texts to persons whom it knows. `new`: five numbers, each text to a new person,
 * whose conversation is counted with it. Both, when none is named.
 */
import pg from 'pg'
import { countStatements, type StatementCount } from '../../test/helpers/statement-count.ts'
import { atRate } from '../at-rate.ts'
import { pause } from '../awaited.ts'
import { SENT_EVENTS, subscribedKeys } from '../paired-number.ts'
import { cpuMs, createDatabase, install, postJson, type Installation } from '../programs.ts'
import { startReceiver, type Receiver } from '../webhooks/world.ts'
import { between, figuresOf, type Figures } from './figures.ts'

/** As many are sent before: plans, caches, and the room that old versions of rows leave in tables of some size. */
const MESSAGES = Number(process.argv[2] ?? 4_000)

interface Way {
  readonly numbers: number
  /** Less than the pace at which an UNOFFICIAL number sends (20 a second) would let it. */
  readonly perSecond: number
  readonly persons: number
}
const WAYS: Readonly<Record<string, Way>> = {
  known: { numbers: 1, perSecond: 19, persons: 50 },
  new: { numbers: 5, perSecond: 95, persons: Number.POSITIVE_INFINITY },
}
const TARGET_BYTES = 3_072
const TARGET_LOG_BYTES = 4_096
const MOST_STATEMENTS_SHOWN = 12
const STATEMENT_CHARACTERS = 110

/** What sends, who receives, and the database between them. */
interface World {
  readonly way: Way
  readonly installation: Installation
  /** Keys of the numbers that send. */
  readonly keys: readonly string[]
  readonly receiver: Receiver
  readonly client: pg.Client
}

/** Sends texts at a steady rate, the numbers and the persons in turn. */
async function send({ way, installation: { gateway }, keys }: World, count: number, from: number): Promise<void> {
  await atRate(way.perSecond, count, (nth) =>
    postJson(
      `http://127.0.0.1:${gateway.port}/v1/messages/send`,
      {
        destinationNumber: String(5_511_960_000_009 + ((from + nth) % way.persons) * 10),
        text: 'Your order 4711 is on its way.',
      },
      { 'x-api-key': keys[nth % way.numbers] ?? '' },
    ),
  )
}

/** Sends, and waits until the receiver has all of their events and their logs are stored. */
async function round(world: World, count: number, from: number): Promise<void> {
  const { receiver, client } = world
  await send(world, count, from)
  for (let got = 0; got < count * SENT_EVENTS.length; got += (await receiver.take()).count) await pause(200)
  const waiting = async () => Number((await client.query('select count(*) as n from outbox')).rows[0].n)
  while ((await waiting()) > 0) await pause(200)
  // Sessions tell their counts once a second, and the last logs are written after the last answer.
  await pause(2_000)
}

function tell(cost: Figures, count: number): void {
  const each = (value: number) => (value / count).toFixed(0)
  const rows = [...cost.tables]
    .map(([name, figures]) => ({ name, ...figures, bytes: figures.heapBytes + figures.indexBytes }))
    .filter(({ bytes, inserted, updated, deleted }) => bytes + inserted + updated + deleted > count / 100)
    .toSorted((a, b) => b.bytes - a.bytes)
  for (const { name, heapBytes, indexBytes, inserted, updated, deleted } of rows)
    console.log(
      `  ${name}: ${each(heapBytes)} B of rows, ${each(indexBytes)} B of indexes; ${(inserted / count).toFixed(2)} rows new, ${(updated / count).toFixed(2)} changed, ${(deleted / count).toFixed(2)} removed`,
    )
  const bytes = rows.reduce((sum, one) => sum + one.bytes, 0)
  console.log(`tables and indexes: ${each(bytes)} B a message (target ${TARGET_BYTES})`)
  console.log(
    `write-ahead log: ${each(cost.walBytes)} B a message (target ${TARGET_LOG_BYTES}), ${(cost.walPages / count).toFixed(2)} whole pages among it`,
  )
}

function tellStatements(counts: ReadonlyMap<string, number>, count: number): void {
  const all = [...counts].toSorted(([, a], [, b]) => b - a)
  console.log(`statements: ${(all.reduce((sum, [, times]) => sum + times, 0) / count).toFixed(2)} a message`)
  for (const [text, times] of all.slice(0, MOST_STATEMENTS_SHOWN))
    console.log(`  ${(times / count).toFixed(2)} ${text.replaceAll(/\s+/g, ' ').trim().slice(0, STATEMENT_CHARACTERS)}`)
}

async function measure(
  way: Way,
  installation: Installation,
  statements: StatementCount,
  client: pg.Client,
): Promise<void> {
  const receiver = await startReceiver()
  const keys = await subscribedKeys(installation, way.numbers, receiver.origin)
  const world: World = { way, installation, keys, receiver, client }
  await round(world, MESSAGES, 0)
  await client.query('checkpoint')
  const before = await figuresOf(client)
  const gatewayBefore = cpuMs(installation.gateway)
  statements.take()
  await round(world, MESSAGES, MESSAGES)
  const gatewayMs = cpuMs(installation.gateway) - gatewayBefore
  tellStatements(statements.take(), MESSAGES)
  const cost = between(before, await figuresOf(client))
  tell(cost, MESSAGES)
  const server = cost.cpuMs === null ? 'is on another machine' : `${(cost.cpuMs / MESSAGES).toFixed(2)} ms`
  console.log(
    `processor time a message: gateway and sandbox ${(gatewayMs / MESSAGES).toFixed(2)} ms, PostgreSQL ${server}`,
  )
  receiver.stop()
}

async function run(way: Way): Promise<void> {
  const database = await createDatabase()
  const statements = await countStatements(database.url)
  const installation = await install('embedded', {
    DATABASE_URL: statements.url,
    LOG_LEVEL: 'warn',
    EGRESS_ALLOW: '127.0.0.0/8',
  })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await measure(way, installation, statements, client)
  } finally {
    await client.end()
    await installation.close()
    statements.close()
    await database.drop()
  }
}

const asked = process.argv[3] ?? null
const ways = Object.entries(WAYS).filter(([name]) => asked === null || asked === name)
if (ways.length === 0) throw new Error(`${asked} is none of ${Object.keys(WAYS).join(', ')}.`)
for (const [name, way] of ways) {
  console.log(`persons ${name}:`)
  await run(way)
}

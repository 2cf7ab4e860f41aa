/**
 * Measures a number's requests beside messages, events and logs of other numbers, and beside many of its own, against
 * the same requests of an empty installation, in turns. Targets: p50 at most 1.3 times with any amount of others' data,
 * at most 2 times with a million messages of its own. Needs PostgreSQL (bench/programs.ts) and, at ten million, some 30
 * GB for a database that is dropped afterwards.
 *
 *   node bench/growth/others.ts [messages of others, in millions, rising, 1,10] [messages of its own, 1000000]
 */
import { randomBytes } from 'node:crypto'
import { loadavg } from 'node:os'
import pg from 'pg'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { install, median, postJson, type Installation } from '../programs.ts'
import { fillTold, makeNeighbours, makeWebhook, withoutIndexes, type ToldNumber } from './neighbours.ts'
import { fillCounts, fillPast } from './rows.ts'

const STAGES = (process.argv[2] ?? '1,10').split(',').map((millions) => Number(millions) * 1_000_000)
const OWN = Number(process.argv[3] ?? 1_000_000)
/** Messages of the compared number, enough for a full page of every list. */
const FEW = 2_000
const NEIGHBOURS = 20
const LOOKS = 61
const [BESIDE_OTHERS, OF_ITS_OWN] = [1.3, 2]

/** An installation with the numbers to ask. */
interface World {
  readonly installation: Installation
  readonly client: pg.Client
  readonly cipher: AesCipher
}

interface Asked extends ToldNumber {
  readonly key: string
  readonly origin: string
}

async function open(): Promise<World> {
  const encryptionKey = randomBytes(32).toString('base64')
  const installation = await install('postgres', { LOG_LEVEL: 'warn', ENCRYPTION_KEY: encryptionKey })
  const client = new pg.Client({ connectionString: installation.databaseUrl ?? '' })
  await client.connect()
  await client.query('set synchronous_commit = off')
  return { installation, client, cipher: new AesCipher(Buffer.from(encryptionKey, 'base64')) }
}

async function makeNumber({ installation, client, cipher }: World, digits: string, messages: number): Promise<Asked> {
  const origin = `http://127.0.0.1:${installation.gateway.port}`
  const { id, apiKey } = await postJson(
    `${origin}/v1/numbers`,
    { name: 'Bench', number: digits },
    { 'x-api-key': installation.tenantKey },
  )
  const {
    rows: [{ tenant_id: tenantId }],
  } = await client.query('select tenant_id from channel_numbers where id = $1', [id])
  const number = {
    id,
    tenantId,
    webhookId: await makeWebhook(client, cipher, { id, tenantId }),
    key: apiKey.key,
    origin,
  }
  await fillPast(client, cipher, { ...number, messages })
  await fillTold(client, number, messages)
  return number
}

/** The requests to a number: a path, and a body when something is stored. */
const REQUESTS: Readonly<Record<string, (number: Asked) => readonly [string, object?]>> = {
  accept: () => ['messages/send', { destinationNumber: '5511990000009', text: 'Your order 4711 is on its way.' }],
  history: () => ['messages/history'],
  conversations: () => ['conversations'],
  unread: () => ['messages/unread'],
  events: () => ['events'],
  logs: ({ webhookId }) => [`webhooks/${webhookId}/logs`],
}

async function ask(number: Asked, [path, body]: readonly [string, object?]): Promise<number> {
  const startMs = performance.now()
  const response = await fetch(`${number.origin}/v1/${path}`, {
    headers: { 'x-api-key': number.key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return performance.now() - startMs
}

/** Asks each number in turns; the p50 of each, in ms. */
async function compare(
  request: (number: Asked) => readonly [string, object?],
  numbers: readonly Asked[],
): Promise<number[]> {
  const times = numbers.map((): number[] => [])
  for (let look = 0; look < LOOKS; look++) {
    const order = look % 2 === 0 ? numbers.entries() : [...numbers.entries()].toReversed()
    for (const [place, number] of order) times[place]?.push(await ask(number, request(number)))
  }
  return times.map(median)
}

async function report(others: number, empty: Asked, small: Asked, large: Asked): Promise<void> {
  console.log(
    `\nothers have ${others.toLocaleString('en')} messages and as many events; load ${loadavg()[0]?.toFixed(0)}`,
  )
  console.log(
    `p50, ms | empty | beside others (target ${BESIDE_OTHERS}) | with ${OWN.toLocaleString('en')} of its own (target ${OF_ITS_OWN})`,
  )
  for (const [name, request] of Object.entries(REQUESTS)) {
    const [alone = 0, beside = 0, own = 0] = await compare(request, [empty, small, large])
    console.log(
      `${name} | ${alone.toFixed(1)} | ${beside.toFixed(1)}: ${(beside / alone).toFixed(2)} | ${own.toFixed(1)}: ${(own / alone).toFixed(2)}`,
    )
  }
}

async function fillOthers({ client, cipher }: World, messages: number): Promise<void> {
  const startMs = performance.now()
  const each = Math.round(messages / NEIGHBOURS)
  const neighbours = await makeNeighbours(client, NEIGHBOURS)
  await withoutIndexes(client, async () => {
    for (const number of neighbours) {
      await fillPast(client, cipher, { ...number, key: '', messages: each })
      await fillTold(client, { ...number, webhookId: await makeWebhook(client, cipher, number) }, each)
    }
  })
  console.log(
    `${messages.toLocaleString('en')} more messages of others in ${((performance.now() - startMs) / 1000).toFixed(0)} s`,
  )
}

async function settled({ client }: World): Promise<void> {
  await fillCounts(client)
  for (const table of ['events', 'webhook_logs', 'channel_numbers', 'tenants'])
    await client.query(`vacuum (analyze) ${table}`)
  await client.query('checkpoint')
}

async function close({ installation, client }: World): Promise<void> {
  await client.end()
  await installation.close()
}

const worlds = [await open(), await open()]
try {
  const [alone, shared] = worlds
  if (!alone || !shared) throw new Error('there are no two installations')
  const [empty, small, large] = [
    await makeNumber(alone, '5511980000000', FEW),
    await makeNumber(shared, '5511980000000', FEW),
    await makeNumber(shared, '5511980000010', OWN),
  ]
  await settled(alone)
  let others = 0
  for (const stage of [0, ...STAGES]) {
    if (stage > others) await fillOthers(shared, stage - others)
    others = stage
    await settled(shared)
    await report(others, empty, small, large)
  }
} finally {
  for (const world of worlds) await close(world)
}

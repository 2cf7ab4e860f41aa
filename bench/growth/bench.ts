/**
 * Measures the message lists over REST for numbers with 0, 100,000 and a million messages beside a neighbour with five
 * million, with and without dates and peer. Needs PostgreSQL (bench/programs.ts).
 *
 *   node bench/growth/bench.ts [share of those sizes, 1]
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { install, median, postJson, type Installation } from '../programs.ts'
import { fillCounts, fillPast, PAST_DAYS, peerAddress, type PastNumber } from './rows.ts'

const SHARE = Number(process.argv[2] ?? 1)
const OWN = [0, 100_000, 1_000_000]
const NEIGHBOURS = 5_000_000
const LOOKS = 31
const TARGET_MS = 30
const DAY_MS = 86_400_000

/** From within one day to within another, so that most of the messages are in between. */
const DATES = `startDate=${daysAgo(PAST_DAYS - 20)}&endDate=${daysAgo(5)}`
/** A busy peer, one of thousands, and a group. */
const [BUSY, QUIET, TEAM] = [peerAddress(0), peerAddress(7), peerAddress(9)].map(encodeURIComponent)
const LISTS = [
  'messages/history',
  `messages/history?${DATES}`,
  'messages/history?direction=OUTBOUND',
  `messages/history?peer=${BUSY}`,
  `messages/history?peer=${BUSY}&${DATES}`,
  `messages/history?peer=${QUIET}`,
  'messages/history?page=100&pageSize=100',
  'messages/group',
  `messages/group?${DATES}`,
  `messages/group?groupId=${TEAM}&${DATES}`,
  'messages/unread',
  'conversations',
]

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString()
}

async function createNumber({ gateway, tenantKey }: Installation, at: number, messages: number): Promise<PastNumber> {
  const { id, apiKey } = await postJson(
    `http://127.0.0.1:${gateway.port}/v1/numbers`,
    { name: 'Bench', number: String(5_511_980_000_000 + at * 10) },
    { 'x-api-key': tenantKey },
  )
  return { id, tenantId: 'ten_', key: apiKey.key, messages: Math.round(messages * SHARE) }
}

/** The median time of the answers, in ms; throws unless all are 200. */
async function look(
  { gateway }: Installation,
  { key }: PastNumber,
  list: string,
): Promise<{ p50: number; total: number }> {
  const times: number[] = []
  let total = 0
  for (let i = 0; i < LOOKS; i++) {
    const startMs = performance.now()
    const response = await fetch(`http://127.0.0.1:${gateway.port}/v1/${list}`, { headers: { 'x-api-key': key } })
    const body = (await response.json()) as { total: number }
    times.push(performance.now() - startMs)
    if (response.status !== 200) throw new Error(`${list}: ${response.status} ${JSON.stringify(body)}`)
    total = body.total
  }
  return { p50: median(times), total }
}

async function makePast(client: pg.Client, cipher: AesCipher, numbers: readonly PastNumber[]): Promise<void> {
  const {
    rows: [{ tenant_id: tenantId }],
  } = await client.query('select tenant_id from channel_numbers limit 1')
  for (const number of numbers) await fillPast(client, cipher, { ...number, tenantId })
  const tookMs = await fillCounts(client)
  const messages = numbers.reduce((sum, number) => sum + number.messages, 0)
  console.log(`counts of ${messages.toLocaleString('en')} messages filled in ${(tookMs / 1000).toFixed(1)} s`)
}

async function compare(installation: Installation, own: readonly PastNumber[], client: pg.Client): Promise<void> {
  console.log(['p50, ms', ...own.map(({ messages }) => `${messages.toLocaleString('en')} own`)].join(' | '))
  let slowest = 0
  for (const list of LISTS) {
    const cells: string[] = []
    for (const number of own) {
      const { p50, total } = await look(installation, number, list)
      slowest = Math.max(slowest, p50)
      cells.push(`${p50.toFixed(1)} (${total.toLocaleString('en')})`)
    }
    console.log([decodeURIComponent(list).replaceAll(/\d{4}-(\d\d-\d\d)T[^&]*/g, '$1'), ...cells].join(' | '))
  }
  console.log(`slowest p50 ${slowest.toFixed(1)} ms (target ${TARGET_MS}); totals in brackets`)
  for (const number of own) {
    const {
      rows: [{ count }],
    } = await client.query(
      `select count(*)::integer as count from messages where number_id = $1 and direction = 'INBOUND'`,
      [number.id],
    )
    const { total } = await look(installation, number, 'messages/history')
    if (count !== total) throw new Error(`a total of ${total} is one of ${count}`)
  }
}

const encryptionKey = randomBytes(32).toString('base64')
const installation = await install('postgres', { LOG_LEVEL: 'warn', ENCRYPTION_KEY: encryptionKey })
const client = new pg.Client({ connectionString: installation.databaseUrl ?? '' })
try {
  await client.connect()
  const own: PastNumber[] = []
  for (const [at, messages] of OWN.entries()) own.push(await createNumber(installation, at, messages))
  const neighbour = await createNumber(installation, OWN.length, NEIGHBOURS)
  await makePast(client, new AesCipher(Buffer.from(encryptionKey, 'base64')), [...own, neighbour])
  await compare(installation, own, client)
} finally {
  await client.end()
  await installation.close()
}

/**
 * Measures sends: how many are accepted durably per second, and at what CPU cost, against a bare Koa route with one
 * bare insert on the same PostgreSQL, in turns in the same run; the same on the embedded database; then how long
 * accepted messages take to reach the upstream at 500 a second over 50 numbers. Needs PostgreSQL (bench/programs.ts).
 *
 *   node bench/send/bench.ts [seconds a turn]
 */
import { atRate } from '../at-rate.ts'
import { load, report, type Ask, type Turn } from '../load.ts'
import { at, install, postJson, startServer, stopServer, type Installation } from '../programs.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const TURNS = 3
/** The number of recipients, used in turn, so that there are as many conversations as in a campaign. */
const RECIPIENTS = 2_000
const NUMBERS = 50
const STEADY_PER_SECOND = 500

interface BenchNumber {
  readonly digits: string
  readonly key: string
}

async function createNumber({ gateway, tenantKey }: Installation, digits: string): Promise<BenchNumber> {
  const { apiKey } = await postJson(
    `http://127.0.0.1:${gateway.port}/v1/numbers`,
    { name: 'Bench', number: digits },
    { 'x-api-key': tenantKey },
  )
  return { digits, key: apiKey.key }
}

/** The send request of a number that is not connected, so that only accepting is measured. */
async function askOf(installation: Installation): Promise<Ask> {
  const { key } = await createNumber(installation, '5511988887777')
  const bodies = Array.from({ length: RECIPIENTS }, (_, at) =>
    JSON.stringify({ destinationNumber: String(5_511_990_000_009 + at * 10), text: 'Your order 4711 is on its way.' }),
  )
  return { path: '/v1/messages/send', headers: { 'x-api-key': key, 'content-type': 'application/json' }, bodies }
}

async function acceptOnPostgres(): Promise<void> {
  const installation = await install('postgres', { LOG_LEVEL: 'warn' })
  const bare = await startServer('send/bare.ts', { BARE_DATABASE_URL: installation.databaseUrl ?? '' })
  try {
    const ask = await askOf(installation)
    await load(bare, ask, SECONDS)
    await load(installation.gateway, ask, SECONDS)
    const ours: Turn[] = []
    const theirs: Turn[] = []
    for (let i = 0; i < TURNS; i++) {
      theirs.push(await load(bare, ask, SECONDS))
      ours.push(await load(installation.gateway, ask, SECONDS))
    }
    report('POST /v1/messages/send', ours, theirs, '0.60', '1.7')
  } finally {
    await stopServer(bare)
    await installation.close()
  }
}

async function acceptEmbedded(): Promise<void> {
  const installation = await install('embedded', { LOG_LEVEL: 'warn' })
  try {
    const ask = await askOf(installation)
    await load(installation.gateway, ask, SECONDS)
    const { perSecond, p50, p99 } = await load(installation.gateway, ask, SECONDS)
    console.log(
      `embedded POST /v1/messages/send: ${perSecond.toFixed(0)}/s (target 1,000), p50 ${p50} ms, p99 ${p99} ms`,
    )
  } finally {
    await installation.close()
  }
}

async function pairNumbers(installation: Installation): Promise<BenchNumber[]> {
  const { gateway } = installation
  const control = `http://127.0.0.1:${gateway.sandboxPort}/control`
  const numbers: BenchNumber[] = []
  for (let i = 0; i < NUMBERS; i++) {
    const number = await createNumber(installation, String(5_511_970_000_000 + i * 10_000))
    for (let tries = 0; ; tries++) {
      const scanned = await fetch(`${control}/devices/${number.digits}/scan`, { method: 'POST' })
      if (scanned.ok) break
      if (tries > 100) throw new Error('no code was shown')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    numbers.push(number)
  }
  return numbers
}

/** Sends STEADY_PER_SECOND messages a second, the numbers in turn, each to a recipient of its own. */
async function sendSteadily({ gateway }: Installation, numbers: readonly BenchNumber[]): Promise<number> {
  const total = STEADY_PER_SECOND * SECONDS * 2
  await atRate(STEADY_PER_SECOND, total, (nth) =>
    postJson(
      `http://127.0.0.1:${gateway.port}/v1/messages/send`,
      { destinationNumber: String(5_511_960_000_009 + nth * 10), text: 'Your order 4711 is on its way.' },
      { 'x-api-key': numbers[nth % NUMBERS]?.key ?? '' },
    ),
  )
  return total
}

/**
 * Seconds from `createdAt` to `sentAt` of the sent messages, as the API returns them; null while some are not sent yet.
 */
async function delays(
  { gateway }: Installation,
  numbers: readonly BenchNumber[],
  total: number,
): Promise<number[] | null> {
  const found: number[] = []
  for (const { key } of numbers) {
    for (let page = 1; ; page++) {
      const response = await fetch(
        `http://127.0.0.1:${gateway.port}/v1/messages/history?direction=OUTBOUND&page=${page}&pageSize=100`,
        { headers: { 'x-api-key': key } },
      )
      const { messages } = (await response.json()) as { messages: { createdAt: string; sentAt: string | null }[] }
      for (const { createdAt, sentAt } of messages)
        if (sentAt !== null) found.push(Date.parse(sentAt) - Date.parse(createdAt))
      if (messages.length < 100) break
    }
  }
  return found.length >= total ? found.toSorted((a, b) => a - b) : null
}

async function queueToUpstream(): Promise<void> {
  const installation = await install('postgres', { LOG_LEVEL: 'warn' })
  try {
    const numbers = await pairNumbers(installation)
    const total = await sendSteadily(installation, numbers)
    for (const untilMs = performance.now() + 60_000; ;) {
      const found = await delays(installation, numbers, total)
      if (found) {
        console.log(
          `queue to upstream at ${STEADY_PER_SECOND}/s over ${NUMBERS} numbers: p50 ${at(found, 0.5)} ms, p99 ${at(found, 0.99)} ms (target 2,000), max ${at(found, 1)} ms, ${found.length} of ${total}`,
        )
        return
      }
      if (performance.now() > untilMs) throw new Error('not all messages were sent within a minute')
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  } finally {
    await installation.close()
  }
}

await acceptOnPostgres()
await acceptEmbedded()
await queueToUpstream()

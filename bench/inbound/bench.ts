/**
 * Upstream webhook posts taken by the real gateway (signature, dedupe, stored with its native event) against a bare Koa
 * route with one bare insert on the same database, in turns in the same run; then the answer times at 500 posts a second.
 * Needs PostgreSQL (bench/programs.ts).
 *
 *   node bench/inbound/bench.ts [seconds a turn]
 */
import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { at, install, median, postJson, startServer, stopServer, type Server } from '../programs.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const TURNS = 3
const CONNECTIONS = 32
/** Upstream's burst the answers are timed at (issue: p99 of the answer at 500 posts a second). */
const STEADY_PER_SECOND = 500
const agent = new Agent({ keepAlive: true, maxSockets: 256 })

/** Posts bytes; answers how long the answer took, ms. Throws unless it was 200. */
function post(url: string, body: Buffer, headers: Record<string, string>): Promise<number> {
  const startMs = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers } }, (response) => {
      response.resume()
      response.on('end', () => response.statusCode === 200 ? resolve(performance.now() - startMs) : reject(new Error(`answered ${response.statusCode}`)))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Where posts go, and what the next one is. */
interface Target {
  readonly url: string
  next(): { readonly body: Buffer, readonly headers: Record<string, string> }
}

let lastPost = 0

/** A status of a message, as upstream posts most: one change, never the same twice. */
function statusTarget(url: string, number: { readonly accountId: string, readonly phoneId: string, readonly appSecret: string }): Target {
  return {
    url,
    next() {
      const id = `wamid.${++lastPost}`
      const value = { messaging_product: 'whatsapp', metadata: { display_phone_number: '15550001111', phone_number_id: number.phoneId }, statuses: [{ id, status: 'delivered', timestamp: '1800000000', recipient_id: '5511999990001', conversation: { id: 'c', origin: { type: 'service' } }, pricing: { billable: true, pricing_model: 'PMP', category: 'service' } }] }
      const body = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: number.accountId, changes: [{ field: 'messages', value }] }] }))
      return { body, headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', number.appSecret).update(body).digest('hex')}` } }
    },
  }
}

/** As many as it takes, over CONNECTIONS connections. Answers posts a second. */
async function turn(target: Target): Promise<number> {
  const untilMs = performance.now() + SECONDS * 1000
  let done = 0
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (performance.now() < untilMs) {
      const { body, headers } = target.next()
      await post(target.url, body, headers)
      done++
    }
  }))
  return done / SECONDS
}

/** STEADY_PER_SECOND posts a second, whatever the answers take. Answers their times, ms, sorted. */
async function steady(target: Target): Promise<number[]> {
  const startMs = performance.now()
  const times: Promise<number>[] = []
  const total = STEADY_PER_SECOND * SECONDS
  while (times.length < total) {
    const due = Math.min(total, Math.floor((performance.now() - startMs) * STEADY_PER_SECOND / 1000))
    while (times.length < due) {
      const { body, headers } = target.next()
      times.push(post(target.url, body, headers))
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return (await Promise.all(times)).toSorted((a, b) => a - b)
}

async function connectNumber(gateway: Server, tenantKey: string): Promise<Target> {
  const seeded = await postJson(`http://127.0.0.1:${gateway.sandboxPort}/control/official/numbers`, { number: '15550001111' })
  const created = await postJson(`http://127.0.0.1:${gateway.port}/v1/numbers/official`, {
    name: 'Bench', number: seeded.number, officialPhoneId: seeded.phoneId, officialAccountId: seeded.accountId,
    officialAccessToken: seeded.accessToken, officialAppId: seeded.appId, officialAppSecret: seeded.appSecret,
  }, { 'x-api-key': tenantKey })
  return statusTarget(created.webhookUrl.replace('localhost', '127.0.0.1'), seeded)
}

const { gateway, tenantKey, databaseUrl, close } = await install('postgres', { LOG_LEVEL: 'warn' })
const bare = await startServer('inbound/bare.ts', { BARE_DATABASE_URL: databaseUrl ?? '' })
try {
  const ours = await connectNumber(gateway, tenantKey)
  const theirs: Target = { url: `http://127.0.0.1:${bare.port}/`, next: () => ({ ...ours.next(), headers: {} }) }
  await turn(theirs)
  await turn(ours)
  const rates: { ours: number[], theirs: number[] } = { ours: [], theirs: [] }
  for (let i = 0; i < TURNS; i++) {
    rates.theirs.push(await turn(theirs))
    rates.ours.push(await turn(ours))
  }
  console.log(`gateway  posts taken: ${median(rates.ours).toFixed(0)}/s; bare insert: ${median(rates.theirs).toFixed(0)}/s`)
  console.log(`ratio of posts a second: ${(median(rates.ours) / median(rates.theirs)).toFixed(2)} (target 0.50)`)
  const times = await steady(ours)
  console.log(`at ${STEADY_PER_SECOND}/s: p50 ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms (target 250), max ${at(times, 1).toFixed(1)} ms`)
} finally {
  agent.destroy()
  await stopServer(bare)
  await close()
}

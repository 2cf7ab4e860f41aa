/**
 * Compares upstream webhook posts to the real gateway (signature, dedupe, stored with the native event) with a bare Koa
 * route with one bare insert on the same database, in turns in the same run; then measures the answer times at 500
 * posts a second. Needs PostgreSQL (bench/programs.ts).
 *
 *   node bench/inbound/bench.ts [seconds a turn]
 */
import {
  closePosts,
  connectOfficial,
  messagesPost,
  post,
  steady,
  type OfficialBenchNumber,
  type Target,
} from '../posts.ts'
import { at, install, median, startServer, stopServer } from '../programs.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const TURNS = 3
const CONNECTIONS = 32
/** The rate of a burst of the upstream, at which p99 of the answer time is measured. */
const STEADY_PER_SECOND = 500

let lastPost = 0

/** A message status, which is what the upstream posts most: one change, never the same twice. */
function statusTarget(number: OfficialBenchNumber): Target {
  return {
    url: number.webhookUrl,
    next() {
      const id = `wamid.${++lastPost}`
      return messagesPost(number, {
        statuses: [
          {
            id,
            status: 'delivered',
            timestamp: '1800000000',
            recipient_id: '5511999990001',
            conversation: { id: 'c', origin: { type: 'service' } },
            pricing: { billable: true, pricing_model: 'PMP', category: 'service' },
          },
        ],
      })
    },
  }
}

/** Posts as fast as possible over CONNECTIONS connections; resolves to posts per second. */
async function turn(target: Target): Promise<number> {
  const untilMs = performance.now() + SECONDS * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < untilMs) {
        const { body, headers } = target.next()
        await post(target.url, body, headers)
        done++
      }
    }),
  )
  return done / SECONDS
}

const installation = await install('postgres', { LOG_LEVEL: 'warn' })
const bare = await startServer('inbound/bare.ts', { BARE_DATABASE_URL: installation.databaseUrl ?? '' })
try {
  const ours = statusTarget(await connectOfficial(installation, '15550001111'))
  const theirs: Target = { url: `http://127.0.0.1:${bare.port}/`, next: () => ({ ...ours.next(), headers: {} }) }
  await turn(theirs)
  await turn(ours)
  const rates: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] }
  for (let i = 0; i < TURNS; i++) {
    rates.theirs.push(await turn(theirs))
    rates.ours.push(await turn(ours))
  }
  console.log(
    `gateway  posts taken: ${median(rates.ours).toFixed(0)}/s; bare insert: ${median(rates.theirs).toFixed(0)}/s`,
  )
  console.log(`ratio of posts a second: ${(median(rates.ours) / median(rates.theirs)).toFixed(2)} (target 0.50)`)
  const times = await steady(ours, STEADY_PER_SECOND, SECONDS)
  console.log(
    `at ${STEADY_PER_SECOND}/s: p50 ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms (target 250), max ${at(times, 1).toFixed(1)} ms`,
  )
} finally {
  closePosts()
  await stopServer(bare)
  await installation.close()
}

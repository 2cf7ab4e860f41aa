import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { LocalBroadcast, LocalRateLimiter } from '../src/cluster/local.ts'
import { createHttpApp } from '../src/http/server.ts'
import { startHttp } from '../src/http/listen.ts'
import { systemClock } from '../src/process/clock.ts'
import { World } from '../test/helpers/http-app.ts'
import { silentLog } from '../test/helpers/silent.ts'

interface Load {
  readonly non2xx: number
  readonly requests: { readonly average: number, readonly total: number }
  readonly latency: { readonly p99: number }
}

/** autocannon carries no types of its own. */
const autocannon = createRequire(import.meta.url)('autocannon') as
  (options: { url: string, connections: number, duration: number, headers: Record<string, string> }) => Promise<Load>

/** Seconds a series runs: long enough for the compiler to settle, short enough for a shared machine. */
const SECONDS = 4
const CONNECTIONS = 16

/**
 * The cost of the REST chain itself: a read through every check, with stores in memory, against a
 * bare `node:http` server that answers the same bytes, measured in the same run.
 */
export async function benchHttp(): Promise<void> {
  const world = new World()
  world.keys.requestsPerMinute = 1e9
  const { number, key } = world.addNumber(world.tenantId, '5511900003333')
  const app = createHttpApp({
    ...world.deps(), clock: systemClock, limiter: new LocalRateLimiter(systemClock), broadcast: new LocalBroadcast(silentLog),
  })
  const listener = await startHttp(app, { host: '127.0.0.1', port: 0 })
  const body = JSON.stringify({ numberId: number.id, provider: number.provider, state: number.state, isFullyConnected: true })
  const bare = createServer((_, res) => void res.setHeader('content-type', 'application/json').end(body))
  await new Promise<void>((resolve) => void bare.listen(0, '127.0.0.1', resolve))
  const baseline = await measure(`http://127.0.0.1:${(bare.address() as AddressInfo).port}/v1/status`, key.raw)
  const chain = await measure(`http://127.0.0.1:${listener.port}/v1/status`, key.raw)
  console.log(`GET /v1/status: ${chain.perSecond.toFixed(0)}/s, ${chain.cpuUs.toFixed(0)} us CPU, p99 ${chain.p99Ms} ms`)
  console.log(`bare node:http: ${baseline.perSecond.toFixed(0)}/s, ${baseline.cpuUs.toFixed(0)} us CPU, p99 ${baseline.p99Ms} ms`)
  console.log(`ratio of CPU: ${(chain.cpuUs / baseline.cpuUs).toFixed(2)} (client included in both)`)
  bare.close()
  await listener.close(0)
}

async function measure(url: string, key: string) {
  const before = process.cpuUsage()
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, headers: { 'x-api-key': key } })
  const cpu = process.cpuUsage(before)
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 2xx`)
  return { perSecond: result.requests.average, cpuUs: (cpu.user + cpu.system) / result.requests.total, p99Ms: result.latency.p99 }
}

await benchHttp()

/**
 * Measures what one tenant's worst bodies do to another tenant: 12 at once, of every shape and of 0.3 to 25 MB, while
 * the other makes small requests and holds a live call with audio; then 16 honest sends of 24 MB at once. With and
 * without the neighbour in the same run. Needs PostgreSQL (bench/programs.ts).
 *
 *   node bench/neighbour/bench.ts [seconds a turn] [shape ...]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { SessionClient } from '../../test/helpers/session-client.ts'
import { until } from '../../test/helpers/until.ts'
import { at, install, type Installation, postJson, residentKib } from '../programs.ts'
import { SHAPES } from './bodies.ts'
import type { HostileOrder, HostileReport } from './hostile.ts'

const [secondsText = '8', ...named] = process.argv.slice(2)
const SECONDS = Number(secondsText)
const wanted = named.length > 0 ? named : Object.keys(SHAPES)
const PARALLEL = 12
const BYTES = [300_000, 1_000_000, 5_000_000, 24_900_000]
const HONEST = 16
/** Small requests of the other tenant at once. */
const CLIENTS = 4
const RATE_HZ = 16_000
const SETTLE_MS = 15_000

interface Tenant {
  readonly base: string
  readonly key: string
}

async function pairedNumber({ gateway }: Installation, tenantKey: string, digits: string): Promise<string> {
  const { apiKey } = await postJson(
    `http://127.0.0.1:${gateway.port}/v1/numbers`,
    { name: 'Bench', number: digits },
    { 'x-api-key': tenantKey },
  )
  const scan = () => fetch(`http://127.0.0.1:${gateway.sandboxPort}/control/devices/${digits}/scan`, { method: 'POST' })
  await until('the phone scans', async () => (await scan()).ok)
  await until(
    'the number is open',
    async () =>
      (await read<{ state: string }>({ base: `http://127.0.0.1:${gateway.port}`, key: apiKey.key }, '/v1/status')).state
      === 'OPEN',
  )
  return apiKey.key
}

async function read<T>({ base, key }: Tenant, path: string): Promise<T> {
  const response = await fetch(base + path, { headers: { 'x-api-key': key } })
  return (await response.json()) as T
}

async function liveCall(tenant: Tenant): Promise<{ id: string; client: SessionClient }> {
  const { id } = await postJson(`${tenant.base}/v1/calls`, { to: '5511990000006' }, { 'x-api-key': tenant.key })
  const { wsUrl } = await postJson(`${tenant.base}/v1/calls/${id}/realtime-session`, {}, { 'x-api-key': tenant.key })
  const client = await SessionClient.connect(wsUrl, `rate=${RATE_HZ}`)
  await client.untilStatus('ACCEPTED')
  await until('audio flows', () => client.samples > RATE_HZ / 2)
  return { id, client }
}

/** Times of small requests in ms, sorted: a send, a read and a list in turn. */
async function times(tenant: Tenant, isOver: () => boolean): Promise<number[]> {
  const found: number[] = []
  const ask = [
    (index: number) =>
      postJson(
        `${tenant.base}/v1/messages/send`,
        { destinationNumber: String(5_511_960_000_009 + index * 10), text: 'Hello' },
        { 'x-api-key': tenant.key },
      ),
    () => read(tenant, '/v1/status'),
    () => read(tenant, '/v1/messages/history?pageSize=10'),
  ]
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let index = client; !isOver(); index += CLIENTS) {
        const fromMs = performance.now()
        await ask[index % ask.length]?.(index)
        found.push(performance.now() - fromMs)
        await pause(10)
      }
    }),
  )
  return found.toSorted((a, b) => a - b)
}

function residentMegabytes({ gateway }: Installation): number {
  return residentKib(gateway.child.pid) / 1_024
}

/** The longest delay of the event loop since the last read, in ms. */
async function longestDelay(base: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds ([\d.e+-]+)/m.exec(text)?.[1] ?? 0) * 1_000
}

/** Runs the neighbour; when its order has no end, it runs until `during` resolves. */
async function neighbour(order: HostileOrder, during: () => Promise<void>): Promise<HostileReport> {
  const child = fork(new URL('hostile.ts', import.meta.url), [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  child.send(order)
  await once(child, 'message')
  const done = once(child, 'message') as Promise<[{ report: HostileReport }]>
  if (order.count === null) {
    await during()
    child.send('stop')
  }
  const [{ report }] = await done
  return report
}

async function turn(
  label: string,
  installation: Installation,
  tenant: Tenant,
  work: () => Promise<unknown>,
): Promise<void> {
  await longestDelay(tenant.base)
  let isOver = false
  let mostMegabytes = residentMegabytes(installation)
  const watch = setInterval(() => {
    mostMegabytes = Math.max(mostMegabytes, residentMegabytes(installation))
  }, 100)
  const measuring = times(tenant, () => isOver)
  await work().finally(() => {
    isOver = true
    clearInterval(watch)
  })
  const found = await measuring
  console.log(
    `${label.padEnd(22)} p50 ${at(found, 0.5).toFixed(1)} ms, p99 ${at(found, 0.99).toFixed(1)} ms, max ${at(found, 1).toFixed(0)} ms of ${found.length} requests; `
      + `event loop late at most ${(await longestDelay(tenant.base)).toFixed(0)} ms; resident at most ${mostMegabytes.toFixed(0)} MB`,
  )
}

async function memoryOf(installation: Installation, label: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${installation.gateway.port}/metrics`)).text()
  const megabytes = (name: string) =>
    (Number(new RegExp(`^${name} ([\\d.e+]+)`, 'm').exec(text)?.[1] ?? 0) / 1_048_576).toFixed(0)
  const resident = residentMegabytes(installation)
  console.log(
    `memory ${label}: resident ${resident.toFixed(0)} MB, heap ${megabytes('nodejs_heap_size_total_bytes')} MB, external ${megabytes('nodejs_external_memory_bytes')} MB`,
  )
  return resident
}

async function main(): Promise<void> {
  const installation = await install('postgres', { LOG_LEVEL: 'warn' })
  try {
    const base = `http://127.0.0.1:${installation.gateway.port}`
    const other = await askToCreateTenant(installation.dataDir, 'Neighbour')
    if (!other) throw new Error('no gateway to ask for a tenant')
    const tenant: Tenant = { base, key: await pairedNumber(installation, installation.tenantKey, '5511970010000') }
    const hostile: Tenant = { base, key: await pairedNumber(installation, other.key, '5511970020000') }
    const { id, client } = await liveCall(tenant)

    const against = async (
      label: string,
      shapes: readonly string[],
      changes: Partial<HostileOrder> = {},
    ): Promise<void> => {
      const order: HostileOrder = {
        url: `${base}/v1/messages/send`,
        key: hostile.key,
        bytes: BYTES,
        parallel: PARALLEL,
        shapes,
        count: null,
        ...changes,
      }
      await turn(label, installation, tenant, async () => {
        const { statuses, bytes } = await neighbour(order, () => pause(SECONDS * 1_000))
        console.log(`${''.padEnd(22)} answered ${JSON.stringify(statuses)}, ${(bytes / 1e6 / SECONDS).toFixed(0)} MB/s`)
      })
    }

    // The warm-up compiles code and grows the heap before anything is compared.
    await against('warm-up', ['media'], { bytes: [1_000_000], count: 20 })
    await turn('alone', installation, tenant, () => pause(SECONDS * 1_000))
    const beforeMegabytes = await memoryOf(installation, 'before')
    for (const shape of wanted) await against(shape, [shape])
    await against('every shape', Object.keys(SHAPES))
    await against(`${HONEST} sends of 24 MB`, ['media'], { bytes: [24_000_000], parallel: HONEST, count: HONEST })
    await pause(SETTLE_MS)
    const afterMegabytes = await memoryOf(installation, `${SETTLE_MS / 1000} s after`)
    const { status, errorCode } = await read<{ status: string; errorCode: string | null }>(tenant, `/v1/calls/${id}`)
    console.log(
      `the other tenant's call: ${status}${errorCode ? ` ${errorCode}` : ''}, its socket ${client.closed ? `closed ${client.closed.code}` : 'open'} (target ACCEPTED, open)`,
    )
    console.log(`resident after to before: ${(afterMegabytes / beforeMegabytes).toFixed(2)} (target at most 1.20)`)
    client.socket.close()
  } finally {
    await installation.close()
  }
}

await main()
process.exit()

import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import type { GuardedFetch } from '../../src/net/guarded-fetch.ts'
import { readBeginning } from '../../src/net/guarded-body.ts'
import { systemClock } from '../../src/process/clock.ts'
import { createMetrics } from '../../src/process/metrics.ts'
import { createDispatcher } from '../../src/webhooks/dispatcher.ts'
import { CONNECTIONS_PER_ORIGIN } from '../../src/webhooks/limits.ts'
import { openTestPglite, openTestPostgres } from '../../test/helpers/database.ts'
import { TEST_DATABASE_URL } from '../../test/helpers/test-servers.ts'
import type { TestDatabase } from '../../test/helpers/database.ts'
import { DATA, loudLog, openWorld, startReceiver } from './world.ts'
import type { BenchWorld, Receiver } from './world.ts'

/**
 * Measures deliveries per second to a receiver on this machine, from events in the outbox to logs in the database,
 * against the same client posting unsigned bodies of the same size without a database; then the time from the commit of
 * an event to its arrival under a steady load. Targets: 35 % of the bare client and 2,000/s on PostgreSQL; 50 ms
 * at the median and 250 ms at the 99th percentile at 500 events a second.
 *
 *   node bench/webhooks/bench.ts [postgres|pglite|both] [deliveries]
 */

const [which = 'both', countText = '12000'] = process.argv.slice(2)
const COUNT = Number(countText)
const NUMBERS = 20
/** As many as one tenant may have under way, so that both sides work under the same limit. */
const IN_FLIGHT = 128
const EVENTS_A_SECOND = 500
const SECONDS = 10
const TICK_MS = 10

async function bareRate(fetchUrl: GuardedFetch, receiver: Receiver, count: number): Promise<number> {
  const body = Buffer.from(
    JSON.stringify({
      id: 'evt_01kb3v9m2r5t8w0y4z6a7b8c9d',
      event: 'call.ended',
      channelNumberId: 'num_01kb3v0000000000000000000',
      data: DATA,
    }),
  )
  let left = count
  const startMs = performance.now()
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (left-- > 0) {
        const sent = await fetchUrl.request({
          url: receiver.origin,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
          maxBytes: Infinity,
          totalMs: 15_000,
        })
        if (!sent.ok) throw new Error(sent.failure.message)
        await readBeginning(sent.response.body, 16_384)
      }
    }),
  )
  return count / ((performance.now() - startMs) / 1000)
}

/** No event of the bench may be set aside. */
async function unwanted(): Promise<void> {
  throw new Error('something was set aside')
}

function dispatcherOf(world: BenchWorld, fetchUrl: GuardedFetch) {
  return createDispatcher({
    deliveries: world.deliveries,
    setAside: { outboxHead: unwanted, note: unwanted },
    fetchUrl,
    clock: systemClock,
    log: loudLog,
    metrics: createMetrics(),
  })
}

/** Deliveries per second from a full outbox to the last log in the database. */
async function deliveryRate(world: BenchWorld, fetchUrl: GuardedFetch): Promise<{ perSecond: number; cpuUs: number }> {
  const before = await world.logCount()
  for (let stored = 0; stored < COUNT; stored += 200) await world.store(200)
  const dispatcher = dispatcherOf(world, fetchUrl)
  const cpu = process.cpuUsage()
  const startMs = performance.now()
  dispatcher.start()
  while ((await world.logCount()) - before < COUNT) await pause(50)
  const seconds = (performance.now() - startMs) / 1000
  const used = process.cpuUsage(cpu)
  await dispatcher.stop()
  return { perSecond: COUNT / seconds, cpuUs: (used.user + used.system) / COUNT }
}

/** Ages of events on arrival; they are stored at a steady rate whatever the dispatcher does. */
async function ages(world: BenchWorld, fetchUrl: GuardedFetch, receiver: Receiver): Promise<number[]> {
  const dispatcher = dispatcherOf(world, fetchUrl)
  dispatcher.start()
  await pause(500)
  await receiver.take()
  const startMs = performance.now()
  let stored = 0
  const writes: Promise<void>[] = []
  while (stored < EVENTS_A_SECOND * SECONDS) {
    const due = Math.min(
      EVENTS_A_SECOND * SECONDS,
      Math.floor(((performance.now() - startMs) / 1000) * EVENTS_A_SECOND),
    )
    for (; stored < due; stored++) writes.push(world.store(1).then(() => dispatcher.wake()))
    await pause(TICK_MS)
  }
  await Promise.all(writes)
  await pause(1_500)
  await dispatcher.stop()
  return (await receiver.take()).agesMs.toSorted((a, b) => a - b)
}

async function bench(name: string, opened: TestDatabase, receiver: Receiver): Promise<void> {
  const fetchUrl = createGuardedFetch({
    egressAllow: ['127.0.0.0/8'],
    clock: systemClock,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
  })
  const world = await openWorld(opened, receiver, NUMBERS)
  try {
    // Both warm up first and are then measured one right after the other, because the machine may be busy with other
    // work.
    await bareRate(fetchUrl, receiver, 2_000)
    await deliveryRate(world, fetchUrl)
    const bare = await bareRate(fetchUrl, receiver, COUNT)
    const signed = await deliveryRate(world, fetchUrl)
    console.log(
      `${name}: ${signed.perSecond.toFixed(0)} deliveries/s with logs, ${signed.cpuUs.toFixed(0)} us CPU of this process each`,
    )
    console.log(
      `${name}: bare client ${bare.toFixed(0)}/s; ratio ${((signed.perSecond / bare) * 100).toFixed(0)} % (target 35 %)`,
    )
    const sorted = await ages(world, fetchUrl, receiver)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
    console.log(
      `${name}: commit to arrival at ${EVENTS_A_SECOND}/s: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (targets 50, 250), ${sorted.length} of ${EVENTS_A_SECOND * SECONDS} arrived`,
    )
  } finally {
    await world.close()
    await fetchUrl.close()
  }
}

const receiver = await startReceiver()
console.log(
  `load of the machine before: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
)
if (which !== 'pglite')
  await bench(
    'PostgreSQL',
    await openTestPostgres(TEST_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/test'),
    receiver,
  )
if (which !== 'postgres') await bench('PGlite', await openTestPglite(), receiver)
receiver.stop()

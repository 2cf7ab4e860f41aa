import test from 'ava'
import { inSeconds } from '../helpers/in-seconds.ts'
import {
  assertAccounted,
  assertDelivered,
  assertStored,
  hookedNumbers,
  IMPATIENT,
  ringThroughKills,
  untilTaken,
} from '../helpers/receiver-accounts.ts'
import { CallStorm, killAndRestart } from '../helpers/receiver-calls.ts'
import { loggedAttempts, storedEvents, type StoredEnvelope } from '../helpers/receiver-ledger.ts'
import { ReceiverZoo, seededRandom } from '../helpers/receiver-zoo.ts'
import { Service } from '../helpers/service.ts'
import { counted, LEDGER_MS, sized } from '../helpers/size.ts'
import { until } from '../helpers/until.ts'

const CALLS = counted(2_000, 40)
const NUMBERS = sized(20, 3)
const KILLS = counted(5, 1)
const FAILING = 0.3
const CALLERS = 8
/** LEDGER_SEED repeats an earlier run. */
const SEED = Number(process.env['LEDGER_SEED'] ?? Math.floor(Math.random() * 1e9))

test(`${CALLS} calls' events reach a receiver that fails in every way while the gateway is killed ${KILLS} times: none lost, none invented, every attempt accounted for`, async (t) => {
  t.timeout(LEDGER_MS)
  t.log(`seed ${SEED}`)
  const startMs = performance.now()
  const random = seededRandom(SEED)
  const zoo = await ReceiverZoo.open({ random, failing: FAILING })
  t.teardown(() => zoo.close())
  const service = await Service.start({
    isSplit: true,
    env: { EGRESS_ALLOW: '127.0.0.0/8', ...IMPATIENT, LOG_LEVEL: 'warn' },
  })
  t.teardown(() => service.stop())
  const { numbers, hooks } = await hookedNumbers(service, zoo, NUMBERS)
  const storm = new CallStorm(service, numbers)
  const preparedMs = performance.now()
  const outages = await ringThroughKills({
    storm,
    calls: CALLS,
    callers: CALLERS,
    kills: KILLS,
    random,
    kill: () => killAndRestart(service),
  })
  const stormMs = performance.now()

  const events = await until('every call has ended in the service', async () => {
    const stored = await storedEvents(service, service.tenantKey)
    return stored.filter(({ event }) => event === 'call.ended').length >= CALLS ? stored : null
  })
  const awaited = events.filter(({ event }) => event === 'call.ended')
  await untilTaken(zoo, awaited)
  const { stored, items } = await settled(service, zoo)
  const arrivals = zoo.arrivals
  const away = outages.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  t.log(`${arrivals.length} requests, ${items.length} logged attempts, ${outages.length} kills`)
  t.log(
    `s: prepare ${inSeconds(preparedMs - startMs)}, calls ${inSeconds(stormMs - preparedMs)} (away ${inSeconds(away)}), delivery after ${inSeconds(performance.now() - stormMs)}`,
  )

  assertStored(t, awaited, storm.rung)
  assertDelivered(t, { hooks, events: stored, arrivals })
  assertAccounted(t, { hooks, arrivals, items, outages })
  t.deepEqual(zoo.forbidden.arrivals, [], 'no redirect was followed')
  t.true(zoo.mostHugeBytes < 64 * 1024 ** 2, `a body of 1 GB was cut after ${zoo.mostHugeBytes} bytes`)
})

/**
 * What is stored and logged once every event was delivered. An answer that arrives too late does not count, so this
 * waits for the next try.
 */
async function settled(
  service: Service,
  zoo: ReceiverZoo,
): Promise<{ stored: StoredEnvelope[]; items: Awaited<ReturnType<typeof loggedAttempts>> }> {
  for (;;) {
    const stored = await storedEvents(service, service.tenantKey)
    // A gateway settles everything in progress before it stops.
    await service.gateway.kill('SIGTERM')
    const items = await loggedAttempts(service)
    const taken = new Set(
      items.filter(({ status }) => status === 'SUCCESS').map(({ webhookId, eventId }) => `${webhookId} ${eventId}`),
    )
    if (items.every(({ webhookId, eventId }) => taken.has(`${webhookId} ${eventId}`))) return { stored, items }
    const made = zoo.arrivals.length
    await service.startGateway()
    await until('the try that is owed is made', () => zoo.arrivals.length > made)
  }
}

import { RowDeliveries } from '../jobs/delivery-rows.ts'
import { openJobs } from '../jobs/jobs.ts'
import { createGuardedFetch, type GuardedFetch } from '../net/guarded-fetch.ts'
import { urlCheckOf } from '../net/url-check.ts'
import type { DeliveryJob } from '../ports/stores/delivery-store.ts'
import type { Deliveries } from '../ports/stores/webhook-store.ts'
import type { UrlCheck } from '../ports/url-check.ts'
import { makeMonths } from '../storage/engine/partitions.ts'
import type { Stores } from '../storage/stores.ts'
import { createDispatcher, type Dispatcher, POLL_MS } from '../webhooks/dispatcher.ts'
import { CONNECTIONS_PER_ORIGIN } from '../webhooks/limits.ts'
import { DEFAULT_SCHEDULE } from '../webhooks/schedule.ts'
import { createDeliveries } from '../webhooks/test.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'
import { PURGES } from './upkeep.ts'

/** Our choice: how often missing months of events and logs are looked for, in ms; they are made a month ahead. */
const MONTHS_MS = 3_600_000

/**
 * Our choice: how often the dispatcher reads the tables itself, in ms. The common look wakes it within `POLL_MS`; this
 * finds what that look misses.
 */
const NET_MS = 300_000
/** Our choice: the least ms between two looks for deliveries that a node took and never ended. */
const GIVE_BACK_MS = 5_000

/** The part of deliveries that the REST layer uses. */
export interface OpenDeliveries {
  readonly deliveries: Deliveries
  readonly checkUrl: UrlCheck
  /** Queues a delivery again that was set aside. */
  enqueue(job: DeliveryJob): Promise<void>
}

/** Opens the delivering side (docs/contract/webhooks.md): events become jobs, and jobs become signed posts. */
export async function openDeliveries(
  core: Core,
  storage: Pick<Storage, 'database' | 'cipher' | 'nodeId' | 'onEvents' | 'checkDue' | 'stores'>,
): Promise<OpenDeliveries> {
  const { config, clock, log, closing, upkeep } = core
  const { database, cipher, nodeId } = storage
  const jobs = await openJobs(database, log)
  closing.add('jobs', () => jobs.close())
  const rows = new RowDeliveries({ database, jobs, cipher, clock, nodeId })
  await rows.recover()
  upkeep.add({
    name: 'make-months',
    everyMs: MONTHS_MS,
    isDueAtStart: true,
    run: () => makeMonths(database, clock.now()).then(() => false),
  })
  upkeep.add({ name: 'purge-deliveries', ...PURGES, run: () => rows.purge() })
  const fetchUrl = createGuardedFetch({
    egressAllow: config.egressAllow,
    clock,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
  })
  closing.add('egress', () => fetchUrl.close())
  const dispatcher = openDispatcher(core, { rows, setAside: storage.stores.setAside, fetchUrl })
  storage.onEvents(() => dispatcher.wake())
  storage.checkDue(rows.due)
  upkeep.add({ name: 'give-back-deliveries', due: 'expiries', everyMs: GIVE_BACK_MS, run: () => rows.supervise() })
  dispatcher.start()
  return {
    deliveries: createDeliveries({
      deliveries: rows,
      fetchUrl,
      clock,
      log,
      queued: () => dispatcher.wakeQueue(),
      attemptMs: config.webhooks.timeoutMs,
    }),
    checkUrl: urlCheckOf(fetchUrl),
    async enqueue(job) {
      await rows.enqueue(job)
      dispatcher.wakeQueue()
    },
  }
}

/** Makes the dispatcher, which posts the jobs. It starts when all parts are open, and closes with the gateway. */
function openDispatcher(
  { config, clock, log, metrics, traces, closing, upkeep }: Core,
  {
    rows,
    setAside,
    fetchUrl,
  }: { readonly rows: RowDeliveries; readonly setAside: Stores['setAside']; readonly fetchUrl: GuardedFetch },
): Dispatcher {
  const { retryMs, timeoutMs } = config.webhooks
  const schedule = retryMs === null ? DEFAULT_SCHEDULE : { ...DEFAULT_SCHEDULE, waitsMs: retryMs }
  const dispatcher = createDispatcher({
    deliveries: rows,
    setAside,
    fetchUrl,
    clock,
    log,
    metrics,
    traces,
    schedule,
    attemptMs: timeoutMs,
    pollMs: NET_MS,
  })
  closing.add('dispatcher', () => dispatcher.stop())
  upkeep.add({ name: 'relay-events', due: 'events', everyMs: POLL_MS, run: async () => dispatcher.wakeLate() })
  upkeep.add({ name: 'fetch-deliveries', due: 'deliveries', everyMs: POLL_MS, run: async () => dispatcher.wakeQueue() })
  return dispatcher
}

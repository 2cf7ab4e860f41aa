import { RowDeliveries } from '../jobs/delivery-rows.ts'
import { openJobs } from '../jobs/jobs.ts'
import { createGuardedFetch } from '../net/guarded-fetch.ts'
import { urlCheckOf } from '../net/url-check.ts'
import type { Deliveries } from '../ports/stores/webhook-store.ts'
import type { UrlCheck } from '../ports/url-check.ts'
import { createDispatcher } from '../webhooks/dispatcher.ts'
import { CONNECTIONS_PER_ORIGIN } from '../webhooks/limits.ts'
import { DEFAULT_SCHEDULE } from '../webhooks/schedule.ts'
import { createDeliveries } from '../webhooks/test.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'
import { PURGES } from './upkeep.ts'

/** What the delivering side offers the REST layer. */
export interface OpenDeliveries {
  readonly deliveries: Deliveries
  readonly checkUrl: UrlCheck
}

/** The delivering side: events become jobs, jobs become signed posts (contract 5). */
export async function openDeliveries(core: Core, { database, cipher, nodeId, onEvents }: Pick<Storage, 'database' | 'cipher' | 'nodeId' | 'onEvents'>): Promise<OpenDeliveries> {
  const { config, clock, log, metrics, closing, upkeep } = core
  const jobs = await openJobs(database, log)
  closing.add('jobs', () => jobs.close())
  const rows = new RowDeliveries({ database, jobs, cipher, clock, nodeId })
  await rows.recover()
  upkeep.add({ name: 'purge-deliveries', ...PURGES, run: () => rows.purge() })
  const fetchUrl = createGuardedFetch({ egressAllow: config.egressAllow, clock, connectionsPerOrigin: CONNECTIONS_PER_ORIGIN })
  closing.add('egress', () => fetchUrl.close())
  const { retryMs, timeoutMs } = config.webhooks
  const schedule = retryMs === null ? DEFAULT_SCHEDULE : { ...DEFAULT_SCHEDULE, waitsMs: retryMs }
  const dispatcher = createDispatcher({ deliveries: rows, fetchUrl, clock, log, metrics, schedule, attemptMs: timeoutMs })
  closing.add('dispatcher', () => dispatcher.stop())
  onEvents(() => dispatcher.wake())
  dispatcher.start()
  return {
    deliveries: createDeliveries({ deliveries: rows, fetchUrl, clock, log, queued: () => dispatcher.wakeQueue(), attemptMs: timeoutMs }),
    checkUrl: urlCheckOf(fetchUrl),
  }
}

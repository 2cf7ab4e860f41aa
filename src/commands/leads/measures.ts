import type { AutoSendStatus, Lead } from '../../domain/lead.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { LeadNoticeStore } from '../../ports/stores/lead-notice-store.ts'

/**
 * How a fetch of a noticed lead ended. `waits`: the privacy mode of its number cannot be read. `error`: a fault of
 * ours.
 */
export type FetchOutcome =
  | 'stored'
  | 'known'
  | 'gone'
  | 'waits'
  | 'token-dead'
  | 'throttled'
  | 'refused'
  | 'failed'
  | 'error'

/** Counts the work on leads; no series names a lead, a Page or a person. */
export interface LeadMeasures {
  fetched(outcome: FetchOutcome): void
  gaveUp(): void
  stored(lead: Pick<Lead, 'source' | 'autoSendStatus'>): void
  autoSend(status: AutoSendStatus): void
  waiting(waiting: Awaited<ReturnType<LeadNoticeStore['waiting']>>, nowMs: number): void
}

/** Makes the series of leads. */
export function createLeadMeasures(metrics: Metrics): LeadMeasures {
  const fetches = metrics.counter('lead_fetches_total', 'Noticed leads asked of upstream, by outcome.', ['outcome'])
  const givenUp = metrics.counter('lead_notices_given_up_total', 'Noticed leads that were given up after seven days.')
  const leads = metrics.counter('leads_stored_total', 'Leads stored, by source.', ['source'])
  const autoSends = metrics.counter('lead_auto_sends_total', 'Answers to leads, by the state they came to.', ['status'])
  const notices = metrics.gauge('lead_notices_waiting', 'Leads that upstream told of and that are not stored yet.')
  const age = metrics.gauge('lead_notices_age_seconds', 'Age of the oldest of them.')
  return {
    fetched: (outcome) => fetches.add({ outcome }),
    gaveUp: () => givenUp.add(),
    stored({ source, autoSendStatus }) {
      leads.add({ source })
      autoSends.add({ status: autoSendStatus })
    },
    autoSend: (status) => autoSends.add({ status }),
    waiting({ count, oldestAt }, nowMs) {
      notices.set(count)
      age.set(oldestAt === null ? 0 : Math.max(0, nowMs - oldestAt.getTime()) / 1_000)
    },
  }
}

import type { StoredEvent } from '../domain/events.ts'
import type { DisabledReason } from '../domain/webhook.ts'
import type { Metrics } from '../ports/metrics.ts'
import { createEventMetrics } from './event-metrics.ts'

/** Buckets around the targets of 50 ms at the median and 250 ms at the 99th percentile. */
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300]

/**
 * `success`, `failed` (will be tried again), `given_up` (it was the last try, or the webhook is switched off),
 * `not_sent` (webhook or event is gone).
 */
export type DeliveryResult = 'success' | 'failed' | 'given_up' | 'not_sent'

/** The series of deliveries at /metrics. */
export interface DeliveryMetrics {
  outboxAge(ms: number): void
  ended(result: DeliveryResult): void
  disabled(reason: DisabledReason): void
  /** Observes the time in ms from the commit of an event to the start of its first try, redeliveries included. */
  firstTry(ageMs: number): void
  inFlight(count: number): void
  openBreakers(count: number): void
  /** Counts events that were handed to the queue. */
  readonly handedOver: (events: readonly StoredEvent[]) => void
}

export function createDeliveryMetrics(metrics: Metrics): DeliveryMetrics {
  const age = metrics.gauge('webhook_outbox_age_seconds', 'Age of the oldest event not yet matched with webhooks.')
  const results = metrics.counter('webhook_deliveries_total', 'Tries of deliveries, by outcome.', ['outcome'])
  const disabled = metrics.counter(
    'webhook_endpoints_disabled_total',
    'Webhooks switched off by the service, by reason.',
    ['reason'],
  )
  const firstTry = metrics.histogram(
    'webhook_first_byte_seconds',
    'From the commit of an event to the first byte of its first try.',
    BUCKETS_SECONDS,
  )
  const inFlight = metrics.gauge('webhook_deliveries_in_flight', 'Tries of deliveries under way.')
  const open = metrics.gauge('webhook_breakers_open', 'Webhooks this node pauses after failures in a row.')
  return {
    outboxAge: (ms) => age.set(ms / 1000),
    ended: (outcome) => results.add({ outcome }),
    disabled: (reason) => disabled.add({ reason }),
    firstTry: (ageMs) => firstTry.observe(Math.max(0, ageMs) / 1000),
    inFlight: (count) => inFlight.set(count),
    openBreakers: (count) => open.set(count),
    handedOver: createEventMetrics(metrics),
  }
}

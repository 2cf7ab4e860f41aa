import type { Deliverable } from '../domain/envelope.ts'
import { newIdAt } from '../domain/ids.ts'
import { BODY_DAYS } from '../domain/limits.ts'
import type { SpanFacts } from '../domain/trace.ts'
import type { DeliveryLog, DisabledReason, StoredLog } from '../domain/webhook.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { NO_TRACES, type Traces } from '../ports/traces.ts'
import type { DeliveryJob, DeliveryTarget } from '../ports/stores/delivery-store.ts'
import { attempt } from './attempt.ts'
import type { AttemptOutcome } from './attempt.ts'
import type { Envelope } from './envelope.ts'
import { sign } from './sign.ts'

/** [webhooks.retries.5]: five days of nothing but failures switch a webhook off. */
export const FAILING_MS = 5 * 24 * 3_600_000

export interface Delivery {
  readonly event: Deliverable
  readonly envelope: Envelope
  readonly target: DeliveryTarget
  /** Number of this try, from 1. */
  readonly attempt: number
  readonly signal: AbortSignal
}

export interface DeliverDeps {
  readonly fetchUrl: GuardedFetch
  readonly clock: Clock
  readonly log: Log
  /** Default: nothing is recorded. */
  readonly traces?: Traces
  /** Limit of one try in ms, from connecting to the end of the answer. */
  readonly totalMs: number
}

export interface Delivered {
  readonly outcome: AttemptOutcome
  readonly log: DeliveryLog
  /** The same as it is to be stored. */
  readonly stored: StoredLog
  readonly disable: DisabledReason | null
}

/**
 * Signs and sends an event once. Answers what the log keeps, and whether the webhook is switched off. Never throws for
 * what a receiver does. The receiver's own work may go on in the trace of what caused the event ([operation.traces.3]).
 */
export async function deliver(
  { fetchUrl, clock, log, traces = NO_TRACES, totalMs }: DeliverDeps,
  delivery: Delivery,
): Promise<Delivered> {
  const { event, envelope, target, signal } = delivery
  const startedAt = clock.now()
  const span = traces.begin('webhook.deliver', event.trace ?? null, factsOf(delivery))
  const timestamp = Math.floor(startedAt / 1000)
  const outcome = await attempt(fetchUrl, clock, {
    url: target.url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(target.secrets, { id: event.id, timestamp, body: envelope.bytes }),
      'x-channel-event': event.event,
      'x-channel-number-id': event.numberId,
      'x-webhook-attempt': String(delivery.attempt),
      ...(span ? { traceparent: span.trace } : {}),
    },
    body: envelope.bytes,
    totalMs,
    signal,
  })
  span?.end(endOf(outcome))
  const disable = disablingOf(outcome, target, clock.now())
  if (disable)
    log.warn({ webhookId: target.webhookId, tenantId: target.tenantId, reason: disable }, 'webhook is switched off')
  const attempted = toLog(delivery, outcome, startedAt)
  return { outcome, log: attempted, stored: toStored(attempted, event), disable }
}

function factsOf({ event, target, attempt: number }: Delivery): SpanFacts {
  const { tenantId, webhookId } = target
  return { tenantId, numberId: event.numberId, webhookId, eventId: event.id, event: event.event, attempt: number }
}

function endOf({ status, statusCode, isTimeout }: AttemptOutcome): SpanFacts {
  const answered = statusCode === 0 ? {} : { status: statusCode }
  if (status === 'SUCCESS') return answered
  return { ...answered, code: isTimeout ? 'TIMEOUT' : statusCode === 0 ? 'NO_ANSWER' : String(statusCode) }
}

function disablingOf(outcome: AttemptOutcome, target: DeliveryTarget, nowMs: number): DisabledReason | null {
  if (outcome.statusCode === 410) return 'GONE'
  if (outcome.status === 'SUCCESS' || target.failingSince === null) return null
  return nowMs - target.failingSince.getTime() >= FAILING_MS ? 'FAILING' : null
}

/**
 * Our choice for RELAY_ONLY: the log keeps neither the payload nor the receiver's answer, after a success or a failure.
 * The gateway's own words on why no answer came name no person, so they stay.
 */
function toLog(
  { event, envelope, target, attempt: number }: Delivery,
  outcome: AttemptOutcome,
  startedAt: number,
): DeliveryLog {
  const isRelayed = target.piiMode === 'RELAY_ONLY'
  return {
    id: newIdAt('log', startedAt),
    webhookId: target.webhookId,
    eventId: event.id,
    event: event.event,
    attempt: number,
    status: outcome.status,
    statusCode: outcome.statusCode,
    payload: isRelayed ? '' : envelope.text,
    response: isRelayed && outcome.isReceiverText ? '' : outcome.response,
    durationMs: outcome.durationMs,
    createdAt: new Date(startedAt),
  }
}

/**
 * What is stored of an attempt. Its body is not, as long as its event is there to make it: an attempt that begins later
 * than BODY_DAYS after its event may outlive it.
 */
function toStored(log: DeliveryLog, event: Deliverable): StoredLog {
  const isSoon = log.createdAt.getTime() - event.createdAt.getTime() < BODY_DAYS * 86_400_000
  return { ...log, payload: isSoon && log.payload !== '' ? null : log.payload }
}

/** The job and its delay after a failed try. */
export function retryOf(job: DeliveryJob, delayMs: number): { readonly job: DeliveryJob; readonly delayMs: number } {
  const { eventId, webhookId, tenantId } = job
  return { job: { eventId, webhookId, tenantId, attempt: job.attempt + 1 }, delayMs }
}

import { fail, refuse, succeed } from '../domain/errors.ts'
import type { StoredEvent } from '../domain/events.ts'
import { newId } from '../domain/ids.ts'
import type { DeliveryLog, Webhook } from '../domain/webhook.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { DeliveryJob, DeliveryStore } from '../ports/stores/delivery-store.ts'
import type { Deliveries } from '../ports/stores/webhook-store.ts'
import { ATTEMPT_TOTAL_MS } from './attempt.ts'
import { deliver } from './deliver.ts'
import { makeEnvelope } from './envelope.ts'

export interface DeliveriesDeps {
  readonly deliveries: DeliveryStore
  readonly fetchUrl: GuardedFetch
  readonly clock: Clock
  readonly log: Log
  /** Called when a job was queued, to wake the dispatcher. */
  readonly queued: () => void
  /** Limit of the one try in ms. Default 15 s ([webhooks.delivery.6]). */
  readonly attemptMs?: number
}

const TEST_MESSAGE = 'This is a test of your webhook. Verify its signature as you would for any event.'
const NEVER = new AbortController().signal

/** Makes the commands that the webhook routes ask of the delivering side: send a test, send a logged event again. */
export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const { deliveries } = deps
  return {
    test: (webhook) => test(deps, webhook),
    async redeliver(webhook, eventId) {
      const job: DeliveryJob = { eventId, webhookId: webhook.id, tenantId: webhook.tenantId, attempt: 1 }
      const { events } = await deliveries.load([job], true)
      if (!events.has(eventId)) return fail(refuse('NOT_FOUND', 'The event is no longer kept.'))
      // Our choice: a job for a webhook that is switched off would end unseen, so the caller is refused.
      if (!webhook.active)
        return fail(refuse('VALIDATION', 'The webhook is not active: switch it on before events are sent again.'))
      await deliveries.enqueue(job)
      deps.queued()
      return succeed(null)
    },
    async redeliverFailed(webhook, range, most) {
      const queued = await deliveries.enqueueFailed(webhook, range, most)
      if (queued > 0) deps.queued()
      return queued
    },
  }
}

/**
 * Our choice: a webhook that is switched off can be tested too, because people test a repaired receiver before they
 * switch it on.
 */
async function test(
  { deliveries, fetchUrl, clock, log, attemptMs }: DeliveriesDeps,
  webhook: Webhook,
): Promise<DeliveryLog> {
  const event: StoredEvent = {
    id: newId('evt'),
    event: 'webhook.test',
    tenantId: webhook.tenantId,
    numberId: webhook.numberId,
    createdAt: new Date(clock.now()),
    data: { message: TEST_MESSAGE },
  }
  const envelope = makeEnvelope(event)
  const { targets } = await deliveries.load(
    [{ eventId: event.id, webhookId: webhook.id, tenantId: webhook.tenantId, attempt: 1 }],
    true,
  )
  const target = targets.get(webhook.id)
  if (!target) return notSent(event, webhook)
  await deliveries.keep(event)
  const delivered = await deliver(
    { fetchUrl, clock, log, totalMs: attemptMs ?? ATTEMPT_TOTAL_MS },
    { event, envelope, target, attempt: 1, signal: NEVER },
  )
  await deliveries.settle([{ jobId: null, log: delivered.stored, retry: null, disable: delivered.disable }])
  return delivered.log
}

/** The outcome when the webhook was removed while the request ran: there is no row to log to. */
function notSent(event: StoredEvent, webhook: Webhook): DeliveryLog {
  return {
    id: newId('log'),
    webhookId: webhook.id,
    eventId: event.id,
    event: event.event,
    attempt: 1,
    status: 'FAILED',
    statusCode: 0,
    payload: '',
    response: 'The webhook was removed: nothing was sent.',
    durationMs: 0,
    createdAt: event.createdAt,
  }
}

import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { EventId } from '../../domain/ids.ts'
import type { DeliveryLogId, WebhookId } from '../../domain/webhook.ts'
import type { WebhookScope } from '../../ports/stores/webhook-store.ts'
import { findWebhook } from './find.ts'
import type { WebhookPorts } from './ports.ts'

export interface RedeliverInput {
  readonly scope: WebhookScope
  readonly id: string
  readonly logId: string
}

export interface Redelivery {
  readonly webhookId: WebhookId
  readonly logId: DeliveryLogId
  readonly eventId: EventId
}

/** Our choice: a webhook that is switched off is refused, because 202 would promise a delivery that never comes. */
export const SWITCHED_OFF = refuse('WEBHOOK_INACTIVE', 'The webhook is switched off: set active to true first')

/**
 * Queues the event of a log item again ([webhooks.routes.9]). Refusals: WEBHOOK_NOT_FOUND, NOT_FOUND, WEBHOOK_INACTIVE.
 */
export async function redeliver(
  ports: WebhookPorts,
  { scope, id, logId: given }: RedeliverInput,
): Promise<Outcome<Redelivery>> {
  const found = await findWebhook(ports, scope, id)
  if (!found.ok) return found
  const webhook = found.value
  const logId = /^log_[0-9a-z]{26}$/.test(given) ? (given as DeliveryLogId) : null
  const eventId = logId && (await ports.webhooks.loggedEvent(scope, webhook.id, logId))
  if (logId === null || !eventId) return fail(refuse('NOT_FOUND', 'No such log item'))
  if (!webhook.active) return fail(SWITCHED_OFF)
  const queued = await ports.deliveries.redeliver(webhook, eventId)
  return queued.ok ? succeed({ webhookId: webhook.id, logId, eventId }) : queued
}

import type { DeliveryLog, Webhook } from '../../../domain/webhook.ts'

/** A webhook as answered ([webhooks.object.2]), without its secret. */
export function presentWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    active: webhook.active,
    events: webhook.events,
    channelNumberIds: [webhook.numberId],
    lastTriggered: webhook.lastTriggered?.toISOString() ?? null,
    disabledReason: webhook.disabledReason,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  }
}

/** A new webhook, the one answer that shows its secret ([webhooks.object.3]). */
export function presentCreated(webhook: Webhook, secret: string) {
  return { ...presentWebhook(webhook), secret }
}

/** One attempt as a log item ([webhooks.logs.2]), with the fields that tell retries apart. */
export function presentLog(log: DeliveryLog) {
  return {
    id: log.id,
    webhookId: log.webhookId,
    event: log.event,
    eventId: log.eventId,
    attempt: log.attempt,
    status: log.status,
    statusCode: log.statusCode,
    payload: log.payload,
    response: log.response,
    durationMs: Math.round(log.durationMs),
    createdAt: log.createdAt.toISOString(),
  }
}

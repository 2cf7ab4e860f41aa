import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { EventId } from '../../src/domain/ids.ts'
import type { DeliveryLog, Webhook, WebhookId } from '../../src/domain/webhook.ts'
import type { FailedRange } from '../../src/ports/stores/delivery-store.ts'
import type { Deliveries } from '../../src/ports/stores/webhook-store.ts'
import type { MemoryWebhooks } from './memory/webhooks.ts'

/** Deliveries that record requests: every test succeeds, and an event in `purged` cannot be redelivered. */
export class ScriptedDeliveries implements Deliveries {
  readonly tested: WebhookId[] = []
  readonly redelivered: { readonly webhookId: WebhookId; readonly eventId: EventId }[] = []
  readonly purged = new Set<EventId>()
  readonly #webhooks: MemoryWebhooks

  constructor(webhooks: MemoryWebhooks) {
    this.#webhooks = webhooks
  }

  async test(webhook: Webhook): Promise<DeliveryLog> {
    this.tested.push(webhook.id)
    return this.#webhooks.addLog(webhook, { event: 'webhook.test' })
  }

  /** As the tables say, but for the queue: whatever failed last is queued. */
  async redeliverFailed({ id }: Webhook, { since, until }: FailedRange, most: number): Promise<number> {
    const inRange = this.#webhooks.log.filter(
      ({ webhookId, createdAt }) => webhookId === id && createdAt >= since && createdAt <= until,
    )
    const last = new Map(inRange.map((item) => [item.eventId, item]))
    const failed = inRange.filter((item) => item.status === 'FAILED' && last.get(item.eventId) === item)
    const queued = failed.filter(({ eventId }) => !this.purged.has(eventId)).slice(0, most)
    this.redelivered.push(...queued.map(({ eventId }) => ({ webhookId: id, eventId })))
    return queued.length
  }

  async redeliver(webhook: Webhook, eventId: EventId) {
    if (this.purged.has(eventId)) return fail(refuse('NOT_FOUND', 'The event is kept no longer'))
    this.redelivered.push({ webhookId: webhook.id, eventId })
    return succeed(null)
  }
}

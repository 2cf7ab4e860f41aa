import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { EventId } from '../../src/domain/ids.ts'
import type { DeliveryLog, Webhook, WebhookId } from '../../src/domain/webhook.ts'
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

  async redeliver(webhook: Webhook, eventId: EventId) {
    if (this.purged.has(eventId)) return fail(refuse('NOT_FOUND', 'The event is kept no longer'))
    this.redelivered.push({ webhookId: webhook.id, eventId })
    return succeed(null)
  }
}

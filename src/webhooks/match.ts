import type { StoredEvent } from '../domain/events.ts'
import { isSubscribed } from '../domain/webhook.ts'
import type { DeliveryJob, Subscriber } from '../ports/stores/delivery-store.ts'

/** Says which subscribers get an event: one first try for each whose list covers it. */
export function match(event: StoredEvent, subscribers: readonly Subscriber[]): DeliveryJob[] {
  return subscribers
    .filter(
      (subscriber) =>
        subscriber.tenantId === event.tenantId && isSubscribed(subscriber.events, event.event, subscriber.provider),
    )
    .map(({ webhookId, tenantId }) => ({ eventId: event.id, webhookId, tenantId, attempt: 1 }))
}

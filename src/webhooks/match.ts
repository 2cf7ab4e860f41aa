import type { StoredEvent } from '../domain/events.ts'
import { isSubscribed } from '../domain/webhook.ts'
import type { DeliveryJob, Subscriber } from '../ports/stores/delivery-store.ts'

/** The first tries of an event: one for each subscriber whose list of events covers it. */
export function match(event: StoredEvent, subscribers: readonly Subscriber[]): DeliveryJob[] {
  return subscribers
    .filter(
      (subscriber) =>
        subscriber.tenantId === event.tenantId && isSubscribed(subscriber.events, event.event, subscriber.provider),
    )
    .map(({ webhookId, tenantId }) => ({ eventId: event.id, webhookId, tenantId, attempt: 1 }))
}

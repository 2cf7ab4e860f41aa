import type { StoredEvent } from '../../../domain/events.ts'

/** The envelope of our own events (contract 5). */
export function presentEvent(event: StoredEvent) {
  return {
    id: event.id,
    event: event.event,
    channelNumberId: event.numberId,
    timestamp: event.createdAt.toISOString(),
    data: event.data,
  }
}

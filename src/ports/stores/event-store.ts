import type { EventId, NumberId, TenantId } from '../../domain/ids.ts'
import type { StoredEvent } from '../../domain/events.ts'

export interface EventPage {
  readonly limit: number
  /** Only what was stored after this event; null from the oldest. */
  readonly after: EventId | null
  readonly event: StoredEvent['event'] | null
}

/** Reads of stored events. Writes happen only inside the stores, with the state that caused them. */
export interface EventStore {
  /** In the order they were stored. An `after` that is unknown in this scope answers null. */
  list(
    scope: { readonly tenantId: TenantId; readonly numberId: NumberId | null },
    page: EventPage,
  ): Promise<StoredEvent[] | null>
}

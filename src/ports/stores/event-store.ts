import type { EventId, NumberId, TenantId } from '../../domain/ids.ts'
import type { StoredEvent } from '../../domain/events.ts'

export interface EventPage {
  readonly limit: number
  /** Only events stored after this one; null for all, from the oldest. */
  readonly after: EventId | null
  readonly event: StoredEvent['event'] | null
}

/** Reads of stored events. Writes happen only inside the stores, with the state that caused them. */
export interface EventStore {
  /** Lists events in the order in which they were stored. Null when `after` is unknown in this scope. */
  list(
    scope: { readonly tenantId: TenantId; readonly numberId: NumberId | null },
    page: EventPage,
  ): Promise<StoredEvent[] | null>
}

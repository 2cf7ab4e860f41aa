import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { StoredEvent } from '../../domain/events.ts'

/** Reads of the outbox. Writes happen only inside the stores, with the state that caused them. */
export interface EventStore {
  /** Oldest first. */
  list(scope: { readonly tenantId: TenantId, readonly numberId: NumberId | null }, limit: number): Promise<StoredEvent[]>
}

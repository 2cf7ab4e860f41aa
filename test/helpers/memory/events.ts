import type { NewEvent, StoredEvent } from '../../../src/domain/events.ts'
import { newId, type NumberId, type TenantId } from '../../../src/domain/ids.ts'
import type { EventPage, EventStore } from '../../../src/ports/stores/event-store.ts'
import type { MemoryRows } from './rows.ts'

/** Stored events in memory; no privacy mode withholds any. */
export class MemoryEvents implements EventStore {
  readonly #rows: MemoryRows

  constructor(rows: MemoryRows) {
    this.#rows = rows
  }

  /** Adds an event that exists already. */
  add(tenantId: TenantId, numberId: NumberId, event: NewEvent): StoredEvent {
    const stored = { ...event, id: newId('evt'), tenantId, numberId, createdAt: new Date(0) }
    this.#rows.stored.push(stored)
    return stored
  }

  async list(
    scope: { readonly tenantId: TenantId; readonly numberId: NumberId | null },
    page: EventPage,
  ): Promise<StoredEvent[] | null> {
    const own = this.#rows.stored.filter(
      (row) => row.tenantId === scope.tenantId && (scope.numberId === null || row.numberId === scope.numberId),
    )
    const from = page.after === null ? 0 : own.findIndex((row) => row.id === page.after) + 1
    if (page.after !== null && from === 0) return null
    return own
      .slice(from)
      .filter((row) => page.event === null || row.event === page.event)
      .slice(0, page.limit)
  }
}

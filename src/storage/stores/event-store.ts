import type { StoredEvent } from '../../domain/events.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { EventPage, EventStore } from '../../ports/stores/event-store.ts'
import type { Database } from '../database.ts'
import { OutboxEventEntity } from '../entities/outbox-event.ts'

export class SqlEventStore implements EventStore {
  #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async list(scope: { readonly tenantId: TenantId, readonly numberId: NumberId | null }, page: EventPage): Promise<StoredEvent[] | null> {
    const { after, event, limit } = page
    const reader = this.#database.reader()
    const own = scope.numberId === null ? { tenantId: scope.tenantId } : { tenantId: scope.tenantId, numberId: scope.numberId }
    const last = after === null ? null : await reader.findOne(OutboxEventEntity, { ...own, id: after })
    if (after !== null && last === null) return null
    const where = {
      ...own,
      ...(event === null ? {} : { event }),
      ...(last === null ? {} : { position: { $gt: last.position } }),
    }
    const rows = await reader.find(OutboxEventEntity, where, { orderBy: { position: 'asc' }, limit })
    return rows.map((row) => ({
      id: row.id, tenantId: row.tenantId, numberId: row.numberId, event: row.event,
      data: JSON.parse(row.data) as Readonly<Record<string, unknown>>, createdAt: row.createdAt,
    }))
  }
}

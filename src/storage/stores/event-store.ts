import type { StoredEvent } from '../../domain/events.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { EventStore } from '../../ports/stores/event-store.ts'
import type { Database } from '../database.ts'
import { OutboxEventEntity } from '../entities/outbox-event.ts'

export class SqlEventStore implements EventStore {
  #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async list(scope: { readonly tenantId: TenantId, readonly numberId: NumberId | null }, limit: number): Promise<StoredEvent[]> {
    const where = scope.numberId === null ? { tenantId: scope.tenantId } : { tenantId: scope.tenantId, numberId: scope.numberId }
    const rows = await this.#database.reader().find(OutboxEventEntity, where, { orderBy: { position: 'asc' }, limit })
    return rows.map((row) => ({
      id: row.id, tenantId: row.tenantId, numberId: row.numberId, event: row.event,
      data: JSON.parse(row.data) as Readonly<Record<string, unknown>>, createdAt: row.createdAt,
    }))
  }
}

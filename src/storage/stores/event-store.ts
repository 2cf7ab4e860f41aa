import type { StoredEvent } from '../../domain/events.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { EventPage, EventStore } from '../../ports/stores/event-store.ts'
import type { Database } from '../database.ts'
import { OutboxEventEntity } from '../entities/outbox-event.ts'

/** Stored events in the order of their positions, which never lets a reader miss one. */
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
    const horizon = await this.#horizon()
    const where = {
      ...own,
      ...(event === null ? {} : { event }),
      position: { $gt: last?.position ?? 0, $lte: horizon },
    }
    const rows = await reader.find(OutboxEventEntity, where, { orderBy: { position: 'asc' }, limit })
    return rows.map((row) => ({
      id: row.id, tenantId: row.tenantId, numberId: row.numberId, event: row.event,
      data: JSON.parse(row.data) as Readonly<Record<string, unknown>>, createdAt: row.createdAt,
    }))
  }

  /**
   * The position up to which nothing can appear any more. Positions are given out before commit,
   * so a reader that goes on `after` the highest it saw would miss a lower one committed later.
   * The lock waits for the writers under way and holds off new ones for one index probe. The
   * embedded database has a single session, and so no writers under way.
   */
  async #horizon(): Promise<number> {
    const highest = 'select coalesce(max(position), 0)::text as position from outbox'
    const rows = this.#database.kind === 'pglite'
      ? await this.#database.query<{ position: string }>(highest)
      : await this.#database.transaction(async (session) => {
        await session.query('lock table outbox in share mode')
        return session.query<{ position: string }>(highest)
      })
    return Number(rows[0]?.position ?? 0)
  }
}

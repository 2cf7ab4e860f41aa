import { Migration } from '@mikro-orm/migrations'
import { dropIndexes, onMonthParts } from './month-parts.ts'

/**
 * Events are found by a hash of their tenant or number, which is a third as wide as the id. A month that has rows keeps
 * its indexes, which serve the same statements, because new ones of its size would hold off writers.
 */
export class NarrowEvents extends Migration {
  override up(): void {
    this.addSql(onEach((owner) => `hashtextextended(${owner}_id, 0), xid, position`))
  }

  override down(): void {
    this.addSql(onEach((owner) => `${owner}_id, xid, position`))
  }
}

/** Makes the indexes by tenant and by number of each part (`onMonthParts`) anew. */
function onEach(columns: (owner: 'tenant' | 'number') => string): string {
  return onMonthParts(
    'events',
    `${dropIndexes('not i.indisunique')}
      execute format('create index %I on %s (${columns('tenant')})', part::text || '_tenant', part);
      execute format('create index %I on %s (${columns('number')})', part::text || '_number', part);`,
  )
}

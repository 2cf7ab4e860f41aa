import { Migration } from '@mikro-orm/migrations'

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

/**
 * Makes the indexes by tenant and by number of each part anew. Parts are a plain table, the default partition, from
 * which months to come have their indexes, and months without rows.
 */
function onEach(columns: (owner: 'tenant' | 'number') => string): string {
  return `do $$
  declare part regclass; has_rows boolean; found name;
  begin
    for part in ${PARTS} loop
      execute format('select exists (select 1 from %s)', part) into has_rows;
      continue when has_rows and part::text not in ('events', 'events_default');
      for found in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
        where i.indrelid = part and a.amname = 'btree' and not i.indisunique loop
        execute format('drop index %I', found);
      end loop;
      execute format('create index %I on %s (${columns('tenant')})', part::text || '_tenant', part);
      execute format('create index %I on %s (${columns('number')})', part::text || '_number', part);
    end loop;
  end $$`
}

const PARTS = `select inhrelid::regclass from pg_inherits where inhparent = to_regclass('events')
      union all select oid::regclass from pg_class where oid = to_regclass('events') and relkind = 'r'`

import { Migration } from '@mikro-orm/migrations'

/**
 * Logs of deliveries in one index, by webhook and time, in place of three: the attempts of an event are looked for only
 * among those that were jobs of the queue. A month that has rows keeps its indexes, which serve the same statements,
 * because new ones of its size would hold off writers; it ends with its time.
 */
export class NarrowLogs extends Migration {
  override up(): void {
    this.addSql('alter table webhook_logs add column is_queued boolean not null default true')
    this.addSql(
      onEach(
        'webhook_id, created_at, id',
        `execute format('create index %I on %s (event_id, webhook_id) where is_queued', part::text || '_event', part);`,
      ),
    )
  }

  override down(): void {
    this.addSql(
      onEach(
        'id',
        `execute format('create index %I on %s (webhook_id, created_at desc, id desc)', part::text || '_newest', part);
         execute format('create index %I on %s (event_id, webhook_id)', part::text || '_event', part);`,
      ),
    )
    this.addSql('alter table webhook_logs drop column is_queued')
  }
}

/**
 * Gives each part another primary key, drops its other indexes of all rows, and makes the new ones. Parts are a plain
 * table, the default partition, from which months to come have their indexes, and months without rows.
 */
function onEach(key: string, made: string): string {
  return `do $$
  declare part regclass; has_rows boolean; found name;
  begin
    for part in ${PARTS} loop
      execute format('select exists (select 1 from %s)', part) into has_rows;
      continue when has_rows and part::text not in ('webhook_logs', 'webhook_logs_default');
      select conname into found from pg_constraint where conrelid = part and contype = 'p';
      execute format('alter table %s drop constraint %I', part, found);
      for found in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
        where i.indrelid = part and a.amname = 'btree' and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = 'is_queued') loop
        execute format('drop index %I', found);
      end loop;
      execute format('alter table %s add primary key (${key})', part);
      ${made}
    end loop;
  end $$`
}

const PARTS = `select inhrelid::regclass from pg_inherits where inhparent = to_regclass('webhook_logs')
      union all select oid::regclass from pg_class where oid = to_regclass('webhook_logs') and relkind = 'r'`

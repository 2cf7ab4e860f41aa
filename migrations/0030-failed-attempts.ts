import { Migration } from '@mikro-orm/migrations'

/** Failed attempts of a webhook by age, and the attempts of an event, so that what failed is found and sent again. */
export class FailedAttempts extends Migration {
  override up(): void {
    this.addSql(onEach('failed', "(webhook_id, created_at desc, id desc) where status = 'FAILED'"))
    this.addSql(onEach('event', '(event_id, webhook_id)'))
  }

  override down(): void {
    for (const index of ['failed', 'event']) this.addSql(taken(index))
  }
}

/**
 * Where logs stand by month every partition has the index, and the months to come get it from the default partition;
 * the whole has none. A plain table has it itself.
 */
function onEach(index: string, what: string): string {
  return `do $$
  declare part regclass;
  begin
    for part in ${PARTS} loop
      execute format('create index %I on %s ${what.replaceAll("'", "''")}', part::text || '_${index}', part);
    end loop;
  end $$`
}

function taken(index: string): string {
  return `do $$
  declare part regclass;
  begin
    for part in ${PARTS} loop
      execute format('drop index if exists %I', part::text || '_${index}');
    end loop;
  end $$`
}

const PARTS = `select inhrelid::regclass from pg_inherits where inhparent = to_regclass('webhook_logs')
      union all select oid::regclass from pg_class where oid = to_regclass('webhook_logs') and relkind = 'r'`

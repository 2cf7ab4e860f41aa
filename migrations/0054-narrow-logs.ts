import { Migration } from '@mikro-orm/migrations'
import { dropIndexes, onMonthParts } from './month-parts.ts'

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

/** Gives each part (`onMonthParts`) another primary key, drops its other indexes of all rows, makes the new ones. */
function onEach(key: string, made: string): string {
  return onMonthParts(
    'webhook_logs',
    `select conname into found from pg_constraint where conrelid = part and contype = 'p';
      execute format('alter table %s drop constraint %I', part, found);
      ${dropIndexes("(i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = 'is_queued')")}
      execute format('alter table %s add primary key (${key})', part);
      ${made}`,
  )
}

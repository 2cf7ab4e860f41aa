import { Migration } from '@mikro-orm/migrations'

/**
 * Events and logs of deliveries by month, so that those past their time are dropped as a table and not row by row.
 * Existing rows stay where they are, as the partition of everything before the next month. The embedded database keeps
 * plain tables: its rows are few, and it has one session to hold locks in.
 */
export class Months extends Migration {
  /**
   * Every statement is a transaction of its own, and repeating one is harmless, so that no lock that writers wait for
   * outlasts a change of the catalogue.
   */
  override isTransactional(): boolean {
    return false
  }

  override async up(): Promise<void> {
    const [engine] = (await this.execute('select version() as version')) as { version: string }[]
    if (engine?.version.includes('emscripten')) return
    for (const statement of ['events', 'webhook_logs'].flatMap(statementsOf)) this.addSql(statement)
  }

  override down(): void {
    throw new Error('months are not taken back: rows would be copied')
  }
}

/** True while the table is not divided yet. */
const isPlain = (table: string): string => `(select relkind from pg_class where oid = to_regclass('${table}')) = 'r'`

/**
 * Tables are locked only as long as the catalogue change takes. A change that does not get its lock within LOCK_MS lets
 * the statements behind it go ahead, and tries again.
 */
const [LOCK_MS, LOCK_TRIES] = [2_000, 60]

/** Makes PL/pgSQL that runs `body` with the table locked for itself. */
function withLock(table: string, body: string): string {
  return `perform set_config('lock_timeout', '${LOCK_MS}', true);
    for attempt in 1..${LOCK_TRIES} loop
      begin
        lock table ${table} in access exclusive mode;
        exit;
      exception when lock_not_available then
        if attempt = ${LOCK_TRIES} then raise; end if;
        perform pg_sleep(0.1 * random());
      end;
    end loop;
    ${body}`
}

/**
 * Adds a check that existing rows, and those that come until then, are older than the beginning of a month (UTC), a
 * week ahead at least, so that no row is refused before the months exist. Existing rows are not checked under the lock.
 */
function boundOf(table: string): string {
  return `do $$
  declare bound timestamptz; existing name;
  begin
    if not ${isPlain(table)} then return; end if;
    select conname into existing from pg_constraint where conrelid = to_regclass('${table}') and conname like '${table}_before_%';
    if existing is not null then return; end if;
    select (date_trunc('month', greatest(now(), max(created_at)) at time zone 'UTC' + interval '7 days') + interval '1 month') at time zone 'UTC' into bound from ${table};
    ${withLock(table, `execute format('alter table ${table} add constraint %I check (created_at < %L) not valid', '${table}_before_' || to_char(bound at time zone 'UTC', 'YYYY_MM'), bound);`)}
  end $$`
}

/** Checks the table once, while others write. */
function proven(table: string): string {
  return `do $$
  declare existing name;
  begin
    select conname into existing from pg_constraint where conrelid = to_regclass('${table}') and conname like '${table}_before_%' and not convalidated;
    if existing is not null then execute format('alter table ${table} validate constraint %I', existing); end if;
  end $$`
}

/**
 * Divides the table, in the catalogue alone. Every partition has the indexes and unique ids of the table before; the
 * whole has none, because a unique one would have to hold the time. Positions go on in one sequence, because not every
 * server lets partitions share an identity.
 */
function divided(table: string): string {
  const positions =
    table === 'events'
      ? `
    execute format('create sequence events_positions as bigint start %s', (select coalesce(max(position), 0) + 1 from events));
    alter table events alter column position drop identity;
    alter table events alter column position set default nextval('events_positions');`
      : ''
  return `do $$
  declare bound text; existing name;
  begin
    if not ${isPlain(table)} then return; end if;
    select conname into strict existing from pg_constraint where conrelid = to_regclass('${table}') and conname like '${table}_before_%';
    ${withLock(
      table,
      `${positions}
    execute format('alter table ${table} rename to %I', existing);
    execute format('create table ${table} (like %I including defaults including storage) partition by range (created_at)', existing);
    execute format('create table ${table}_default (like %I including defaults including storage including indexes)', existing);
    bound := replace(right(existing, 7), '_', '-') || '-01 00:00:00+00';
    execute format('alter table ${table} attach partition %I for values from (minvalue) to (%L)', existing, bound);
    execute format('alter table %I drop constraint %I', existing, existing);
    alter table ${table} attach partition ${table}_default default;`,
    )}
    ${table === 'events' ? 'alter sequence events_positions owned by events.position;' : ''}
  end $$`
}

/** The statements that divide a table, in order. */
export function statementsOf(table: string): string[] {
  return [boundOf(table), proven(table), divided(table)]
}

/**
 * SQL that runs `made` for each part of a table by month that has no rows to speak of: a plain table, the default
 * partition, from which months to come have their indexes, and months without rows. Other months keep their indexes,
 * because new ones of their size would hold off writers. `made` uses the variables `part` (regclass) and `found`
 * (name).
 */
export function onMonthParts(table: string, made: string): string {
  return onEveryPart(
    table,
    `execute format('select exists (select 1 from %s)', part) into has_rows;
      continue when has_rows and part::text not in ('${table}', '${table}_default');
      ${made}`,
  )
}

/** The same for all parts, whatever rows they have. */
export function onEveryPart(table: string, made: string): string {
  return `do $$
  declare part regclass; has_rows boolean; found name;
  begin
    for part in select inhrelid::regclass from pg_inherits where inhparent = to_regclass('${table}')
      union all select oid::regclass from pg_class where oid = to_regclass('${table}') and relkind = 'r' loop
      ${made}
    end loop;
  end $$`
}

/** SQL for `made` that drops the B-tree indexes `i` of the part of which `isOld` is true. */
export function dropIndexes(isOld: string): string {
  return `for found in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
        where i.indrelid = part and a.amname = 'btree' and ${isOld} loop
        execute format('drop index %I', found);
      end loop;`
}

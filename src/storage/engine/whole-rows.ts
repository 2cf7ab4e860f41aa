import type { SqlSession } from './database.ts'
import { recordset, toRecordset } from './rows.ts'
import type { Rows } from './rows-of.ts'

interface WholeRows<Stored, Values> {
  readonly rows: Rows<Values>
  /** Those that a change may write. */
  readonly written: Pick<Rows<Partial<Values>>, 'columns' | 'types'>
  /**
   * Columns that insertions are ordered by, the same everywhere, so that two do not wait for each other in a circle.
   */
  readonly order: readonly (keyof Values)[]
  readonly toRecord: (stored: Stored) => Values
}

/** Writes for a table whose rows are stored and overwritten as a whole, many in one statement. */
export function wholeRows<Stored, Values extends { readonly id: string }>(
  table: string,
  { rows, written, order, toRecord }: WholeRows<Stored, Values>,
) {
  const insert = `insert into ${table} (${rows.list()})
    select ${rows.list()} from json_to_recordset($1::json) as r (${recordset(rows.types)}) order by ${order.map((name) => rows.columns[name]).join(', ')}
    on conflict do nothing returning id`
  const write = `update ${table} t set ${Object.keys(written.types)
    .map((name) => `${name} = r.${name}`)
    .join(', ')}
    from json_to_recordset($1::json) as r (id text, ${recordset(written.types)}) where t.id = r.id`
  const toParameter = (stored: readonly Stored[]): string => toRecordset(stored.map((one) => rows.write(toRecord(one))))
  return {
    /** Stores new rows; answers the ids of those that violated no unique constraint. */
    async insertRows(session: SqlSession, stored: readonly Stored[]): Promise<Set<Values['id']>> {
      if (stored.length === 0) return new Set()
      const inserted = await session.query<{ id: Values['id'] }>(insert, [toParameter(stored)])
      return new Set(inserted.map(({ id }) => id))
    },

    /** Overwrites rows that are locked. Throws the violation of a unique constraint. */
    async writeRows(session: SqlSession, stored: readonly Stored[]): Promise<void> {
      if (stored.length > 0) await session.query(write, [toParameter(stored)])
    },
  }
}

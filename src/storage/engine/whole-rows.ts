import type { SqlSession } from './database.ts'
import { recordset, toRecordset } from './rows.ts'
import type { Rows } from './rows-of.ts'

interface WholeRows<Stored, Values> {
  readonly rows: Rows<Values>
  /** Those that a change may write. */
  readonly written: Pick<Rows<Partial<Values>>, 'columns' | 'types'>
  /** Columns by which rows are inserted in one order everywhere. */
  readonly order: readonly (keyof Values)[]
  readonly toRecord: (stored: Stored) => Values
}

/** Writes of a table whose rows are stored and written over as a whole, many by one statement. */
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
    /** Stores new rows; answers the ids of those that no unique column of another row kept out. */
    async insertRows(session: SqlSession, stored: readonly Stored[]): Promise<Set<Values['id']>> {
      if (stored.length === 0) return new Set()
      const inserted = await session.query<{ id: Values['id'] }>(insert, [toParameter(stored)])
      return new Set(inserted.map(({ id }) => id))
    },

    /** Writes over rows that are locked. Throws a violation of their uniqueness. */
    async writeRows(session: SqlSession, stored: readonly Stored[]): Promise<void> {
      if (stored.length > 0) await session.query(write, [toParameter(stored)])
    },
  }
}

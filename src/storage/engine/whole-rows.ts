import type { SqlSession } from './database.ts'
import { recordset, toRecordset } from './rows.ts'

/** Names of columns with their types, as `json_to_recordset` is told them. */
type Columns = Readonly<Record<string, string>>

interface WholeRows<Row> {
  readonly all: Columns
  /** Those that a change may write. */
  readonly written: Columns
  /** Columns by which rows are inserted in one order everywhere. */
  readonly order: string
  readonly toRecord: (row: Row) => object
}

/** Writes of a table whose rows are stored and written over as a whole, many by one statement. */
export function wholeRows<Row, Id extends string>(table: string, { all, written, order, toRecord }: WholeRows<Row>) {
  const names = Object.keys(all).join(', ')
  const insert = `insert into ${table} (${names})
    select ${names} from json_to_recordset($1::json) as r (${recordset(all)}) order by ${order}
    on conflict do nothing returning id`
  const write = `update ${table} t set ${Object.keys(written).map((name) => `${name} = r.${name}`).join(', ')}
    from json_to_recordset($1::json) as r (id text, ${recordset(written)}) where t.id = r.id`
  return {
    /** Stores new rows; answers the ids of those that no unique column of another row kept out. */
    async insertRows(session: SqlSession, rows: readonly Row[]): Promise<Set<Id>> {
      if (rows.length === 0) return new Set()
      const inserted = await session.query<{ id: Id }>(insert, [toRecordset(rows.map(toRecord))])
      return new Set(inserted.map(({ id }) => id))
    },

    /** Writes over rows that are locked. Throws a violation of their uniqueness. */
    async writeRows(session: SqlSession, rows: readonly Row[]): Promise<void> {
      if (rows.length > 0) await session.query(write, [toRecordset(rows.map(toRecord))])
    },
  }
}

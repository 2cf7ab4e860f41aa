import test from 'ava'
import { TABLES } from '../../move/tables.ts'
import { openDatabase } from '../../store/sqlite/database.ts'
import { temporaryFolder } from '../helpers/open-store.ts'

/** Columns that a place fills in by itself. */
const OWN = new Set(['number_id', 'position'])

// [engine-fleet.store.5]
test('every table with rows of numbers is carried, with each of its columns, and each sealed one has a context', (t) => {
  const db = openDatabase(temporaryFolder(t))
  t.teardown(() => db.close())
  const columns = db
    .prepare(
      "select tables.name, columns.name as column, columns.type from sqlite_schema as tables, pragma_table_info(tables.name) as columns where tables.type = 'table' and tables.name <> 'moves'",
    )
    .all() as { name: string; column: string; type: string }[]
  const holding = new Set(columns.filter(({ column }) => column === 'number_id').map(({ name }) => name))
  t.deepEqual(TABLES.map(({ name }) => name).toSorted(), [...holding].toSorted())
  for (const table of TABLES) {
    const own = columns.filter(({ name, column }) => name === table.name && !OWN.has(column))
    t.deepEqual(Object.keys(table.columns).toSorted(), own.map(({ column }) => column).toSorted(), table.name)
    const sealed = own.filter(({ type }) => type.toLowerCase() === 'blob').map(({ column }) => column)
    t.deepEqual(Object.keys(table.contexts).toSorted(), sealed.toSorted(), table.name)
  }
})

import { openMover, type Mover, type MoverOptions } from '../store/postgres/mover.ts'
import { createSeal } from '../store/seal.ts'
import { statementOf } from '../store/statement.ts'
import { NumberFault, type Place, takenFault } from './place.ts'
import type { Row, Table, Value } from './tables.ts'

/** SQLSTATE of a row whose place is taken. */
const TAKEN = '23505'

/** Opens the store of a PostgreSQL database, or makes it there. Throws a StartFault that says what to do. */
export async function openPostgresPlace(options: MoverOptions): Promise<Place> {
  const { client, hold, free, release } = await openMover(options)

  async function transaction<T>(work: () => Promise<T>): Promise<T> {
    await client.query('begin')
    try {
      const result = await work()
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  }

  return {
    kind: 'postgres',
    name: 'PostgreSQL of ENGINE_DATABASE_URL',
    startWith: 'with ENGINE_DATABASE_URL and this ENGINE_KEY',
    seal: createSeal(options.key),
    async run(sql, values = {}) {
      const { text, fields } = statementOf(sql, (place) => `$${place}`)
      const { rows } = await client.query<Record<string, Value>>(
        text,
        fields.map((field) => values[field] ?? null),
      )
      return rows
    },
    insert: (table, numberId, rows) => insert(client, table, numberId, rows),
    async hold(numberId) {
      if (await hold(numberId)) return
      throw new NumberFault(
        'an engine on PostgreSQL holds it: stop that engine, or take the number from its gateway, wait for a minute, and run this again',
      )
    },
    free,
    transaction,
    close: release,
  }
}

/** One statement for all rows, with one array for each column. Positions are given in the order of the rows. */
async function insert(client: Mover['client'], table: Table, numberId: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(table.columns)
  const names = columns.join(', ')
  const arrays = Object.values(table.columns).map((type, place) => `$${place + 2}::${type}[]`)
  try {
    await client.query(
      `insert into ${table.name} (number_id, ${names})
        select $1::text, ${names} from unnest(${arrays.join(', ')}) with ordinality as given (${names}, nth) order by nth
        ${table.onConflict}`,
      [numberId, ...columns.map((column) => rows.map((row) => row[column]))],
    )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === TAKEN) throw takenFault(table.name)
    throw error
  }
}

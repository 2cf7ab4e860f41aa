import type { Database } from '../../src/storage/engine/database.ts'

/** A value for a column of each type, when its meaning does not matter; times are long past. */
const FILLING: Readonly<Record<string, string>> = {
  bigint: '1',
  integer: '1',
  boolean: 'false',
  date: '2020-01-01',
  'timestamp with time zone': '2020-01-01T00:00:00Z',
  jsonb: '{}',
  json: '{}',
  ARRAY: '{}',
}

/** The columns of a row that matter. */
export type Filled = Readonly<Record<string, string | boolean | null>>

let filled = 0

/** Stores a row in which only these columns matter; foreign keys are not checked. */
export async function insertFilled(database: Database, table: string, fields: Filled = {}): Promise<void> {
  const columns = await database.query<{ column_name: string; data_type: string }>(
    `select column_name, data_type from information_schema.columns where table_schema = current_schema() and table_name = $1 and is_nullable = 'NO'
      and column_default is null and is_identity = 'NO' and is_generated = 'NEVER'`,
    [table],
  )
  const row = {
    ...Object.fromEntries(
      columns.map(({ column_name, data_type }) => [column_name, FILLING[data_type] ?? `filler ${filled++}`]),
    ),
    ...fields,
  }
  await database.transaction(async (session) => {
    await session.query('set local session_replication_role = replica')
    await session.query(
      `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
        .map((_, at) => `$${at + 1}`)
        .join(', ')})`,
      Object.values(row),
    )
  })
}

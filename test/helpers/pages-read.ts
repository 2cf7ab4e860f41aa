import type { Database, SqlParameter } from '../../src/storage/engine/database.ts'

/** Runs a statement on PostgreSQL, and gives the pages of 8 KB that it reads. */
export async function pagesRead(database: Database, sql: string, parameters: SqlParameter[]): Promise<number> {
  const rows = await database.query<{ 'QUERY PLAN': string | [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) ${sql}`,
    parameters,
  )
  const plan = rows[0]?.['QUERY PLAN'] ?? '[]'
  const [{ Plan: top }] = typeof plan === 'string' ? JSON.parse(plan) : plan
  return top['Shared Hit Blocks'] + top['Shared Read Blocks']
}

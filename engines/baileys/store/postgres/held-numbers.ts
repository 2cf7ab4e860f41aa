import { Client } from 'pg'
import { configOf } from './postgres-driver.ts'

/** Who holds the numbers of a database now. */
export interface HeldNumbers {
  readonly linked: number
  /** Linked numbers that an engine holds. */
  readonly held: number
  /** Engines that hold numbers. */
  readonly engines: number
}

/** Reads who holds the numbers of a database. Null where no engine has made its tables yet; rejects when it is away. */
export async function readHeldNumbers(url: string, schema: string): Promise<HeldNumbers | null> {
  const client = new Client(configOf(url))
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query('select where to_regclass($1) is not null', [`${schema}.number_leases`])
    if (rowCount === 0) return null
    const { rows } = await client.query<HeldNumbers>(
      `select (select count(*) from ${schema}.sessions) as linked, count(session.number_id) as held, count(distinct lease.engine_id) as engines
      from ${schema}.number_leases lease left join ${schema}.sessions session using (number_id)
      where lease.engine_id is not null and lease.engine_id <> 'move' and lease.expires_at > clock_timestamp()`,
    )
    return rows[0] ?? null
  } finally {
    await client.end()
  }
}

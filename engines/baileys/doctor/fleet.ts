import type { Config } from '../process/config.ts'
import { SCHEMA } from '../store/open-store.ts'
import type { HeldNumbers } from '../store/postgres/held-numbers.ts'
import type { Finding } from './checks.ts'

/** Says how many engines share the database, and whether each linked number has one. */
export async function checkFleet({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<Finding> {
  const name = 'fleet'
  if (databaseUrl === null) return { name, outcome: 'ok', seen: 'one engine, which holds its folder alone' }
  // Loaded only where it is used, with its client of PostgreSQL.
  const { readHeldNumbers } = await import('../store/postgres/held-numbers.ts')
  const found = await readHeldNumbers(databaseUrl, SCHEMA).catch(() => 'away' as const)
  if (found === 'away')
    return { name, outcome: 'failed', seen: 'ENGINE_DATABASE_URL does not answer', todo: 'see to PostgreSQL' }
  return { name, ...inWords(found ?? { linked: 0, held: 0, engines: 0 }) }
}

function inWords({ linked, held, engines }: HeldNumbers): Omit<Finding, 'name'> {
  const seen = `${engines} ${engines === 1 ? 'engine holds' : 'engines hold'} ${held} of ${linked} linked numbers`
  if (held === linked || engines === 0) return { outcome: 'ok', seen }
  return {
    outcome: 'warning',
    seen,
    todo: 'nothing, if engines have just started or ended; else see that the gateways of the other numbers run and reach an engine',
  }
}

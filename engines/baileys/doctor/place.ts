import type { Config } from '../process/config.ts'
import { moveCommand } from '../store/moves.ts'
import { linkedInFolder } from '../store/sqlite/left-behind.ts'
import type { Finding } from './checks.ts'

/** Says where the store lives, and whether numbers were left in the folder that it is not in. */
export function checkPlace({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): Finding {
  const name = 'place of store'
  if (databaseUrl === null) return { name, outcome: 'ok', seen: `SQLite in ${dataDir}; ENGINE_DATABASE_URL is not set` }
  const linked = linkedInFolder(dataDir)
  if (linked === 0)
    return { name, outcome: 'ok', seen: `PostgreSQL; no linked number is left in the SQLite of ${dataDir}` }
  const isHeld = linked === 'held'
  return {
    name,
    outcome: 'warning',
    seen: isHeld
      ? `PostgreSQL; a running engine holds the SQLite of ${dataDir}`
      : `PostgreSQL; the SQLite of ${dataDir} still holds ${linked} linked ${linked === 1 ? 'number' : 'numbers'}`,
    todo: `${isHeld ? 'stop that engine, and ' : ''}run \`${moveCommand('sqlite')}\``,
  }
}

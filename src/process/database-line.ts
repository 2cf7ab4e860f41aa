import { join } from 'node:path'

/** Which database a command worked on. */
export type UsedDatabase =
  | { readonly of: 'gateway'; readonly dataDir: string }
  | { readonly of: 'command'; readonly databaseUrl: string | null; readonly dataDir: string; readonly isNew: boolean }

/**
 * One line that names it: host, port and name of PostgreSQL, never user or password, or the directory of the embedded
 * one.
 */
export function databaseLine(used: UsedDatabase): string {
  if (used.of === 'gateway') return `database: of the gateway that runs in ${used.dataDir}`
  const name =
    used.databaseUrl === null
      ? `embedded, ${join(used.dataDir, 'pglite')}`
      : `PostgreSQL ${serverOf(new URL(used.databaseUrl))}`
  return `database: ${name}${used.isNew ? ' (new)' : ''}`
}

function serverOf({ hostname, port, pathname, searchParams }: URL): string {
  const schema = searchParams.get('schema')
  return `${hostname || searchParams.get('host') || 'localhost'}:${port || '5432'}${pathname}${schema === null ? '' : `, schema ${schema}`}`
}

/** Tells which database is used: on stderr, so that what a command answers can be read by a program. */
export function tellDatabase(used: UsedDatabase): void {
  process.stderr.write(`${databaseLine(used)}\n`)
}

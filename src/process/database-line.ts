import { join } from 'node:path'

/** The database that a command worked on. */
export type UsedDatabase =
  | { readonly of: 'gateway'; readonly dataDir: string }
  | { readonly of: 'command'; readonly databaseUrl: string | null; readonly dataDir: string; readonly isNew: boolean }

/**
 * One line that names the database: host, port and name of PostgreSQL, without user and password, or the directory of
 * the embedded one.
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

/** Prints which database is used. It goes to stderr, so that a program can read the command's answer on stdout. */
export function tellDatabase(used: UsedDatabase): void {
  process.stderr.write(`${databaseLine(used)}\n`)
}

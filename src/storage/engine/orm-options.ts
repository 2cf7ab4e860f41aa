import { Migrator } from '@mikro-orm/migrations'
import { SqlEntityManager } from '@mikro-orm/postgresql'
import { MIGRATIONS } from '../../../migrations/list.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import { ENTITIES } from './entities.ts'

export interface DatabaseOptions {
  /** `postgres://...`, or null for the embedded database in `dataDir`. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  /** Most connections to PostgreSQL. */
  readonly poolSize?: number
  /** PostgreSQL schema to use and to make when missing; the database's default otherwise. */
  readonly schema?: string
  readonly log: Log
  readonly clock: Clock
  /** A copy of the database for lists, kept up to date by others. */
  readonly readUrl?: string | null
  readonly metrics?: Metrics
}

/** Both drivers give the same manager; their types do not say so. */
export function managerOf(orm: { readonly em: object }): SqlEntityManager {
  if (orm.em instanceof SqlEntityManager) return orm.em
  throw new Error('the ORM gave no SQL entity manager')
}

/** Brings the tables up to date; true when there were none before. */
export async function migrate(migrator: { up(): Promise<readonly { readonly name: string }[]> }): Promise<boolean> {
  const done = await migrator.up()
  return done.some(({ name }) => name === MIGRATIONS[0]?.name)
}

/** What the ORM is told of either database. Each migration is a transaction of its own: what one locks waits for no other. */
export function commonOptions(log: Log) {
  return {
    entities: ENTITIES,
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, tableName: 'schema_migrations', snapshot: false, disableForeignKeys: false, silent: true, allOrNothing: false },
    ensureDatabase: false,
    logger: (text: string) => log.warn({ text }, 'database driver says'),
    colors: false,
  }
}

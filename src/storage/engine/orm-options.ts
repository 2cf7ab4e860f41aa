import type { EntitySchema } from '@mikro-orm/core'
import { Migrator } from '@mikro-orm/migrations'
import { SqlEntityManager } from '@mikro-orm/postgresql'
import { MIGRATIONS } from '../../../migrations/list.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'

export interface DatabaseOptions {
  /** `postgres://...`, or null for the embedded database in `dataDir`. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  /** Most connections to PostgreSQL (10 when absent). */
  readonly poolSize?: number
  /** PostgreSQL schema to use and to make when missing; the database's default otherwise. */
  readonly schema?: string
  readonly log: Log
  readonly clock: Clock
  /** How many times longer than usual the server lets a statement take (DATABASE_PATIENCE); default 1. */
  readonly patience?: number
  /** URL of a copy of the database that lists are read from; something else keeps it up to date. */
  readonly readUrl?: string | null
  readonly metrics?: Metrics
}

/** Both drivers give the same manager; their types do not say so. */
export function managerOf(orm: { readonly em: object }): SqlEntityManager {
  if (orm.em instanceof SqlEntityManager) return orm.em
  throw new Error('the ORM gave another entity manager')
}

/** Thrown when a later version made the tables: this version would break what it does not know of them. */
class NewerSchema extends Error {
  readonly code = 'NEWER_SCHEMA'

  constructor(migration: string) {
    super(
      `the database was brought up to date by a newer version of the service (migration ${migration}): start that version or a later one`,
    )
  }
}

/** The part of the ORM's migrator that is used. */
export interface TableMigrator {
  up(): Promise<readonly { readonly name: string }[]>
  getExecuted(): Promise<readonly { readonly name: string }[]>
}

/**
 * Brings the tables up to date; true when there were none before. Throws NewerSchema for tables of a later version, and
 * changes nothing.
 */
export async function migrate(migrator: TableMigrator): Promise<boolean> {
  const known = new Set(MIGRATIONS.map(({ name }) => name))
  const unknown = (await migrator.getExecuted()).find(({ name }) => !known.has(name))
  if (unknown) throw new NewerSchema(unknown.name)
  const done = await migrator.up()
  return done.some(({ name }) => name === MIGRATIONS[0]?.name)
}

/**
 * Options of the ORM for either database, whose tables are `entities`. Each migration is a transaction of its own, so
 * that none waits for what another locked.
 */
export function commonOptions(log: Log, entities: EntitySchema[]) {
  return {
    entities,
    extensions: [Migrator],
    migrations: {
      migrationsList: MIGRATIONS,
      tableName: 'schema_migrations',
      snapshot: false,
      disableForeignKeys: false,
      silent: true,
      allOrNothing: false,
    },
    ensureDatabase: false,
    logger: (text: string) => log.warn({ text }, 'the database driver wrote to its log'),
    colors: false,
  }
}

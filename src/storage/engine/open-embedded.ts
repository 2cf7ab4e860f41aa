import { join } from 'node:path'
import type { EntitySchema } from '@mikro-orm/core'
import { MikroORM as PgliteOrm } from '@mikro-orm/pglite'
import { lockDirectory } from './data-dir-lock.ts'
import { Database, type NativeDatabase, type SqlParameter, type SqlSession } from './database.ts'
import { commonOptions, type DatabaseOptions, managerOf, migrate, type TableMigrator } from './orm-options.ts'
import { Outage } from './outage.ts'
import { PgliteClient, type PgliteTransaction } from './pglite-client.ts'
import type { PgliteRows } from './pglite-protocol.ts'
import { toParameter } from './rows.ts'

/** Names in the data directory: the folder of the embedded database, and the lock of its holder. */
export const DATABASE_FOLDER = 'pglite'
export const DATABASE_LOCK = 'database.lock'

/** The part of the ORM that is used here. */
interface Orm {
  readonly em: object
  readonly migrator: TableMigrator
  close(force?: boolean): Promise<void>
}

/**
 * Opens the embedded database in a worker thread and brings its tables up to date. Its directory is locked first,
 * because it does not do so itself.
 */
export async function openEmbedded(options: DatabaseOptions, entities: EntitySchema[]): Promise<Database> {
  const lock = await lockDirectory(options.dataDir, DATABASE_LOCK)
  const client = new PgliteClient(join(options.dataDir, DATABASE_FOLDER), options)
  let orm: Orm | null = null
  const close = async (): Promise<void> => {
    await orm?.close(true)
    await client.close()
    await lock.release()
  }
  try {
    await client.waitReady
    const opened: Orm = await PgliteOrm.init({
      ...commonOptions(options.log, entities),
      dbName: 'postgres',
      driverOptions: { pglite: () => client },
    })
    orm = opened
    const isNew = await migrate(opened.migrator)
    const probe = async (): Promise<void> => {
      await client.revive()
      await client.query('select 1')
    }
    const outage = new Outage({ ...options, probe, cut: () => {} })
    return new Database('pglite', managerOf(opened), clientDatabase(client, close), outage, isNew)
  } catch (error) {
    await close()
    throw error
  }
}

async function rowsOf(sent: Promise<PgliteRows>): Promise<object[]> {
  const { rows } = await sent
  return [...rows]
}

function sessionOver({ query }: PgliteTransaction): SqlSession {
  return {
    query: async <R extends object>(sql: string, parameters: readonly SqlParameter[] = []) =>
      (await rowsOf(query(sql, parameters.map(toParameter)))) as R[],
  }
}

/** The client in the form that the database needs. */
function clientDatabase(client: PgliteClient, close: () => Promise<void>): NativeDatabase {
  return {
    query: (sql, parameters) => rowsOf(client.query(sql, parameters)),
    queryKept: (name, sql, parameters) => client.queryKept(name, sql, parameters),
    script: (text) => client.script(text),
    transaction: (work) => client.transaction((transaction) => work(sessionOver(transaction))),
    close,
  }
}

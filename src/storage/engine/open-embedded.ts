import { join } from 'node:path'
import { MikroORM as PgliteOrm } from '@mikro-orm/pglite'
import { lockDirectory } from './data-dir-lock.ts'
import { Database } from './database.ts'
import { commonOptions, type DatabaseOptions, managerOf, migrate } from './orm-options.ts'
import { Outage } from './outage.ts'
import { PgliteClient } from './pglite-client.ts'

/** Of the ORM what is used here. */
interface Orm {
  readonly em: object
  readonly migrator: { up(): Promise<readonly { readonly name: string }[]> }
  close(force?: boolean): Promise<void>
}

/** Opens the embedded database in a worker thread and brings its tables up to date. Its directory is locked first, because it does not do so itself. */
export async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  const lock = await lockDirectory(options.dataDir, 'database.lock')
  const client = new PgliteClient(join(options.dataDir, 'pglite'), options)
  let orm: Orm | null = null
  const close = async (): Promise<void> => {
    await orm?.close(true)
    await client.close()
    await lock.release()
  }
  try {
    await client.waitReady
    const opened: Orm = await PgliteOrm.init({ ...commonOptions(options.log), dbName: 'postgres', driverOptions: { pglite: () => client } })
    orm = opened
    const isNew = await migrate(opened.migrator)
    const probe = async (): Promise<void> => {
      await client.revive()
      await client.query('select 1')
    }
    const outage = new Outage({ ...options, probe, cut: () => {} })
    return new Database('pglite', managerOf(opened), { queryKept: (name, sql, parameters) => client.queryKept(name, sql, parameters), script: (text) => client.script(text), close }, outage, isNew)
  } catch (error) {
    await close()
    throw error
  }
}

import { randomBytes } from 'node:crypto'
import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { RowDeliveries } from '../../src/jobs/delivery-rows.ts'
import { openJobs, type Jobs } from '../../src/jobs/jobs.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import type { DeliveryWorld, MakeDeliveryWorld } from '../contracts/delivery-store.ts'
import type { TestDatabase } from '../helpers/database.ts'
import { silentLog } from '../helpers/silent.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'

/** Counts the statements of a database, without begin and commit. */
function counting(database: Database): { database: Database; count: () => number } {
  let statements = 0
  const counted: Pick<Database, 'query' | 'transaction' | 'script' | 'kind' | 'chores'> = {
    kind: database.kind,
    chores: database.chores,
    script: (text) => database.script(text),
    query(sql, parameters) {
      statements += 1
      return database.query(sql, parameters)
    },
    transaction: (work) =>
      database.transaction((session) =>
        work({
          query(sql, parameters) {
            statements += 1
            return session.query(sql, parameters)
          },
        }),
      ),
  }
  return { database: counted as Database, count: () => statements }
}

/** Opens a database and its queue before the tests of a file; returns a function that makes worlds over both. */
export function sharedDeliveries(
  test: TestFn,
  open: () => Promise<TestDatabase>,
): { makeWorld: MakeDeliveryWorld; opened: () => { database: Database; jobs: Jobs } } {
  let parts: { readonly opened: TestDatabase; readonly jobs: Jobs } | null = null
  test.before(async () => {
    const opened = await open()
    parts = { opened, jobs: await openJobs(opened.database, silentLog) }
  })
  test.after.always(async () => {
    await parts?.jobs.close()
    await parts?.opened.close()
  })
  const cipher = new AesCipher(randomBytes(32))
  const get = () => {
    if (!parts) throw new Error('the database of the tests is not open')
    return { database: parts.opened.database, jobs: parts.jobs }
  }
  const makeWorlds = worldsOver(() => get().database, undefined, cipher)
  const makeWorld = async (): Promise<DeliveryWorld> => {
    const { database, jobs } = get()
    const world = makeWorlds(Date.now())
    const node = (over = database, nodeId = newId('node')) =>
      new RowDeliveries({ database: over, jobs, cipher, clock: world.clock, nodeId })
    const ownId = newId('node')
    const counted = counting(database)
    const clear = async () => {
      for (const table of ['outbox', 'delivery_batches', jobs.table]) await database.query(`delete from ${table}`)
    }
    await clear()
    return {
      ...world,
      deliveries: node(counted.database, ownId),
      async restart() {
        const store = node(database, ownId)
        return { store, recovered: await store.recover() }
      },
      otherNode: () => node(),
      clear,
      async expire() {
        await database.query(
          `update ${jobs.table} set started_on = started_on - interval '1 hour' where state = 'active'`,
        )
        // Makes the queue believe that its last look was long ago.
        await database.query(`update ${jobs.table.split('.')[0]}.queue set monitor_claim_on = null, monitor_on = null`)
        await database.query(`update delivery_batches set fetched_at = fetched_at - interval '1 hour'`)
        await node().supervise()
      },
      async statements(work) {
        const before = counted.count()
        await work()
        return counted.count() - before
      },
    }
  }
  return { makeWorld, opened: get }
}

import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { CHORE_MS, EMBEDDED_MS } from '../../../src/storage/engine/patience.ts'
import { PgliteClient } from '../../../src/storage/engine/pglite-client.ts'
import { temporaryDirectory } from '../../helpers/database.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { copyMigrated } from '../../helpers/migrated-folder.ts'
import { silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'

/** `disk.freeBytes` is what the database is told to have. */
async function open(t: ExecutionContext, disk = { freeBytes: Infinity }) {
  const directory = await temporaryDirectory()
  await copyMigrated(directory.path)
  const clock = new FakeClock()
  const client = new PgliteClient(join(directory.path, 'pglite'), { clock, log: silentLog, freeBytes: async () => disk.freeBytes })
  t.teardown(async () => {
    await client.close()
    await directory.remove()
  })
  await client.waitReady
  await client.query('create table kept (value integer)')
  return { client, clock }
}

const isStopped = { message: 'the embedded database has stopped' }

test('an embedded database that answers no more is opened anew, with what it had stored', async (t) => {
  const { client, clock } = await open(t)
  await client.query('insert into kept values (1)')
  const stuck = t.throwsAsync(client.query('select pg_sleep(100000)'), isStopped)
  // It waits for its turn, and then finds a database that answers.
  const after = client.query('select value from kept')
  await new Promise((resolve) => setImmediate(resolve))
  await client.revive()
  clock.advance(CHORE_MS)
  await client.revive()
  await stuck
  t.deepEqual((await after).rows, [{ value: 1 }])
})

test('one that is silent since its disk was seen full is opened anew soon, though it never said so and there is room again', async (t) => {
  const disk = { freeBytes: 16_000_000 }
  const { client, clock } = await open(t, disk)
  const stuck = t.throwsAsync(client.query('select pg_sleep(100000)'), isStopped)
  await new Promise((resolve) => setImmediate(resolve))
  await client.revive()
  disk.freeBytes = Infinity
  clock.advance(EMBEDDED_MS)
  await client.revive()
  await stuck
  t.deepEqual((await client.query('select value from kept')).rows, [])
})

test('a transaction that the database ended with says so and does not go on in the next', async (t) => {
  const { client, clock } = await open(t)
  const done = client.transaction(async ({ query }) => {
    await query('insert into kept values (1)')
    await query('select pg_sleep(100000)').catch(() => {})
    await query('insert into kept values (2)')
  })
  const failed = t.throwsAsync(done, isStopped)
  await until('it sleeps', async () => {
    clock.advance(CHORE_MS)
    await client.revive()
    return await Promise.race([failed.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))])
  })
  t.deepEqual((await client.query('select value from kept')).rows, [])
})

test('a database that answers, however late, is left alone', async (t) => {
  const { client, clock } = await open(t)
  clock.advance(CHORE_MS)
  await client.revive()
  const answer = client.query('select pg_sleep(0.2)')
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(CHORE_MS - 1)
  await client.revive()
  t.is((await answer).rows.length, 1)
})

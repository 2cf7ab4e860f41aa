import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { CHORE_MS, EMBEDDED_MS, LOOK_MS, OPEN_MS } from '../../../src/storage/engine/patience.ts'
import { PgliteClient } from '../../../src/storage/engine/pglite-client.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { copyMigrated } from '../../helpers/migrated-folder.ts'
import { silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'

/** A client. `disk.freeBytes` is the free space that the database is told. */
async function open(t: ExecutionContext, disk = { freeBytes: Infinity }) {
  const directory = await temporaryDirectory()
  await copyMigrated(directory.path)
  const clock = new FakeClock()
  const client = new PgliteClient(join(directory.path, 'pglite'), {
    clock,
    log: silentLog,
    freeBytes: async () => disk.freeBytes,
  })
  t.teardown(async () => {
    await client.close()
    await directory.remove()
  })
  await client.waitReady
  await client.query('create table kept (value integer)')
  return { client, clock }
}

/** A client whose program is `stand-in-worker.ts`. */
async function standIn(t: ExecutionContext, disk = { freeBytes: Infinity }) {
  const directory = await temporaryDirectory()
  const clock = new FakeClock()
  const client = new PgliteClient(directory.path, {
    clock,
    log: silentLog,
    freeBytes: async () => disk.freeBytes,
    program: new URL('stand-in-worker.ts', import.meta.url),
  })
  t.teardown(async () => {
    await client.close()
    await directory.remove()
  })
  await client.waitReady
  return { client, clock, mute: join(directory.path, 'mute'), spoilt: join(directory.path, 'spoilt') }
}

/** Lets promises settle. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const isStopped = { message: 'the embedded database has stopped' }

test('an embedded database that no longer answers is opened anew, with everything it had stored', async (t) => {
  const { client, clock } = await open(t)
  await client.query('insert into kept values (1)')
  const stuck = t.throwsAsync(client.query('select pg_sleep(100000)'), isStopped)
  // This statement waits for its turn, and then finds a database that answers.
  const after = client.query('select value from kept')
  await settled()
  await client.revive()
  clock.advance(CHORE_MS)
  await client.revive()
  await stuck
  t.deepEqual((await after).rows, [{ value: 1 }])
})

test('a database that fell silent when its disk was seen full is opened anew soon, even if there is room again', async (t) => {
  const disk = { freeBytes: 16_000_000 }
  const { client, clock } = await open(t, disk)
  const stuck = t.throwsAsync(client.query('select pg_sleep(100000)'), isStopped)
  await settled()
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
    return await Promise.race([
      failed.then(() => true),
      new Promise<boolean>((resolve) => setImmediate(resolve, false)),
    ])
  })
  t.deepEqual((await client.query('select value from kept')).rows, [])
})

test('a database that answers, however late, is left alone', async (t) => {
  const { client, clock } = await open(t)
  clock.advance(CHORE_MS)
  await client.revive()
  const answer = client.query('select pg_sleep(0.2)')
  await settled()
  clock.advance(CHORE_MS - 1)
  await client.revive()
  t.is((await answer).rows.length, 1)
})

test('a database that cannot be opened anew on a full disk is refused at once, and opened as soon as there is room', async (t) => {
  const disk = { freeBytes: 16_000_000 }
  const { client, spoilt } = await standIn(t, disk)
  await t.throwsAsync(client.query('die'), isStopped)
  await writeFile(spoilt, '')
  await client.revive()
  await t.throwsAsync(client.query('select 1'), isStopped, 'its thread lives on and answers nothing')
  await rm(spoilt)
  await client.revive()
  await t.throwsAsync(client.query('select 2'), isStopped, 'with as little room as before it is not tried all the time')
  disk.freeBytes = Infinity
  await client.revive()
  t.deepEqual((await client.query('select 3')).rows, [{ sql: 'select 3' }])
})

test('a database that is silent while it opens is given up and opened once more for the waiting statements', async (t) => {
  const { client, clock, mute } = await standIn(t)
  const stuck = t.throwsAsync(client.query('hang'), isStopped)
  await settled()
  clock.advance(CHORE_MS)
  await writeFile(mute, '')
  await client.revive()
  await stuck
  const early = client.query('select 1')
  clock.advance(OPEN_MS - 1)
  await client.revive()
  await rm(mute)
  clock.advance(1)
  await Promise.all([client.revive(), client.revive()])
  t.deepEqual((await early).rows, [{ sql: 'select 1' }])
})

test('a database that fell silent while its disk was full is opened anew soon, even if there was room before the next statement', async (t) => {
  const disk = { freeBytes: 16_000_000 }
  const { client, clock } = await standIn(t, disk)
  const stuck = t.throwsAsync(client.query('hang'), isStopped)
  await settled()
  clock.advance(LOOK_MS)
  await settled()
  disk.freeBytes = Infinity
  clock.advance(EMBEDDED_MS - LOOK_MS)
  await client.revive()
  await stuck
  t.deepEqual((await client.query('select 1')).rows, [{ sql: 'select 1' }])
})

test('a database that is being opened anew can be closed without waiting for it', async (t) => {
  const { client, clock, mute } = await standIn(t)
  const stuck = t.throwsAsync(client.query('hang'), isStopped)
  await settled()
  clock.advance(CHORE_MS)
  await writeFile(mute, '')
  await client.revive()
  await stuck
  const early = t.throwsAsync(client.query('select 1'), isStopped)
  await client.close()
  await early
})

test("when the database's thread dies, waiting statements fail, and it is opened anew", async (t) => {
  const { client } = await standIn(t)
  await t.throwsAsync(client.query('die'), isStopped)
  await t.throwsAsync(client.query('select 1'), isStopped)
  await client.revive()
  t.deepEqual((await client.query('select 1')).rows, [{ sql: 'select 1' }])
})

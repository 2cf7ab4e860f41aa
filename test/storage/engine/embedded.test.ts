import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { AesCipher } from '../../../src/storage/engine/cipher.ts'
import { assertSealedWith } from '../../../src/storage/keys/material.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { copyMigrated } from '../../helpers/migrated-folder.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { databaseFault, faultLine } from '../../../src/process/start-fault.ts'
import { silentLog } from '../../helpers/silent.ts'
import { databaseSuite } from '../../contracts/database.ts'
import { unitSuite } from '../../contracts/units.ts'
import { entitySuite } from '../../contracts/entities.ts'

const database = sharedDatabase(test, openTestPglite)
databaseSuite(test, 'PGlite', database)
unitSuite(test, 'PGlite', database)
entitySuite(test, 'PGlite', database)

test.serial('a directory open in this process is not opened again, until it is closed', async (t) => {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const options = { databaseUrl: null, dataDir: directory.path, log: silentLog, clock: systemClock }
  const first = await openDatabase(options)
  t.true(first.isNew)
  await first.query(`insert into tenants (id, name, created_at) values ('ten_kept', 'Kept', now())`)
  await t.throwsAsync(openDatabase(options), { message: new RegExp(`${directory.path} is in use`) })
  await first.close()
  await first.close()
  await t.throwsAsync(first.query('select 1'))
  const second = await openDatabase(options)
  t.teardown(() => second.close())
  t.false(second.isNew)
  t.deepEqual(await second.query('select name from tenants'), [{ name: 'Kept' }])
})

test.serial('a database that a killed process left half made is made anew', async (t) => {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const half = join(directory.path, 'pglite.making-killed')
  await mkdir(half)
  await writeFile(join(half, 'PG_VERSION'), '17')
  const opened = await openDatabase({
    databaseUrl: null,
    dataDir: directory.path,
    log: silentLog,
    clock: systemClock,
  })
  t.true(opened.isNew)
  await opened.close()
  t.deepEqual(await readdir(directory.path), ['pglite'])
})

test.serial('an older version refuses the database of a newer one in a line, and changes nothing in it', async (t) => {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  await copyMigrated(directory.path)
  const options = { databaseUrl: null, dataDir: directory.path, log: silentLog, clock: systemClock }
  const first = await openDatabase(options)
  await first.query(`insert into schema_migrations (name, executed_at) values ('9999-of-tomorrow', now())`)
  await first.close()
  const error = await t.throwsAsync(openDatabase(options), {
    message: /newer version of the service \(migration 9999-of-tomorrow\): start that version/,
  })
  t.is(faultLine(databaseFault(null, error)), error?.message)
})

test('a text asked again is written with the types that a script left behind', async (t) => {
  const insert = 'insert into asked_again (value) values ($1)'
  await database().script('create temporary table asked_again (value boolean)')
  await database().query(insert, [true])
  await database().script('alter table asked_again alter column value type text')
  await database().query(insert, ['told'])
  const rows = await database().query('select value from asked_again order by value')
  t.deepEqual(rows, [{ value: 'told' }, { value: 'true' }])
  await database().script('drop table asked_again')
})

test('the event loop stays free while the embedded database works', async (t) => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  // The statement takes about a second. If it ran on this thread, the timer would not tick.
  await database().query(`select count(*) from generate_series(1, 400000) s where md5(s::text || 'x') like '%zz%'`)
  clearInterval(timer)
  t.true(ticks > 3, `${ticks} ticks`)
})

test('a directory that cannot be opened fails with its reason and is free again', async (t) => {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  await writeFile(join(directory.path, 'pglite'), 'not a directory')
  const options = { databaseUrl: null, dataDir: directory.path, log: silentLog, clock: systemClock }
  await t.throwsAsync(openDatabase(options))
  await rm(join(directory.path, 'pglite'))
  t.deepEqual(await readdir(directory.path), [])
})

// [nodes.nodes.1]
test.serial('a database written with another encryption key is told at start', async (t) => {
  const [right, wrong] = [new AesCipher(randomBytes(32)), new AesCipher(randomBytes(32))]
  await t.notThrowsAsync(assertSealedWith(database(), wrong), 'a database in which nothing is sealed has no key yet')
  await openStores({ database: database(), cipher: right, clock: new FakeClock() }).tenants.create('Default')
  await t.notThrowsAsync(assertSealedWith(database(), right))
  await t.throwsAsync(assertSealedWith(database(), wrong), { message: /ENCRYPTION_KEY/ })
})

test('PGlite: a query outside the open transaction is refused at once and does not hang', async (t) => {
  await database().transaction(async () => {
    await t.throwsAsync(database().query('select 1'), { message: /outside the open transaction/ })
    await t.throwsAsync(
      database().transaction(async () => {}),
      { message: /outside the open transaction/ },
    )
  })
})

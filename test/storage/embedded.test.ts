import test from 'ava'
import { openDatabase } from '../../src/storage/orm.ts'
import { openTestPglite, sharedDatabase, temporaryDirectory } from '../helpers/database.ts'
import { silentLog } from '../helpers/silent.ts'
import { databaseSuite } from '../contracts/database.ts'

const database = sharedDatabase(test, openTestPglite)
databaseSuite(test, 'PGlite', database)

test.serial('a directory open in this process is not opened again, until it is closed', async (t) => {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const options = { databaseUrl: null, dataDir: directory.path, log: silentLog }
  const first = await openDatabase(options)
  await first.query(`insert into tenants (id, name, created_at) values ('ten_kept', 'Kept', now())`)
  await t.throwsAsync(openDatabase(options), { message: new RegExp(`${directory.path} is in use`) })
  await first.close()
  await first.close()
  await t.throwsAsync(first.query('select 1'))
  const second = await openDatabase(options)
  t.teardown(() => second.close())
  t.deepEqual(await second.query('select name from tenants'), [{ name: 'Kept' }])
})

test('the event loop stays free while the embedded database works', async (t) => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  // One statement of about a second: on this thread it would allow no tick at all.
  await database().query(`select count(*) from generate_series(1, 400000) s where md5(s::text || 'x') like '%zz%'`)
  clearInterval(timer)
  t.true(ticks > 3, `${ticks} ticks`)
})

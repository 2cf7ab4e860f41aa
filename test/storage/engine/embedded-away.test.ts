import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { StoreAway } from '../../../src/domain/store-away.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { CHORE_MS, EMBEDDED_MS, PROBE_PAUSE_MS } from '../../../src/storage/engine/patience.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { copyMigrated } from '../../helpers/migrated-folder.ts'
import { silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'

test('a transaction that could not be begun, while the database was away, holds nothing up once it is back', async (t) => {
  const directory = await temporaryDirectory()
  await copyMigrated(directory.path)
  const clock = new FakeClock()
  const database = await openDatabase({ databaseUrl: null, dataDir: directory.path, log: silentLog, clock })
  t.teardown(async () => {
    await database.close()
    await directory.remove()
  })
  const control = join(directory.path, 'pglite', 'global', 'pg_control')
  const silent = t.throwsAsync(database.script('select pg_sleep(100000)'), { instanceOf: StoreAway })
  const begun = t.throwsAsync(
    database.transaction((session) => session.query('select 1')),
    { instanceOf: StoreAway },
  )
  await rename(control, `${control}.away`)
  clock.advance(CHORE_MS)
  await Promise.all([silent, begun])
  await until(
    'it is away',
    async () =>
      await database.query('select 1').then(
        () => false,
        (error: unknown) => error instanceof StoreAway,
      ),
  )
  await rename(`${control}.away`, control)

  clock.advance(EMBEDDED_MS)
  const rows = await until('it is back', async () => {
    // Time passes in small steps, because a real opening during one large step would look like a time-out of OPEN_MS.
    clock.advance(PROBE_PAUSE_MS / 4)
    return await database.transaction((session) => session.query('select 7 as seven')).catch(() => null)
  })
  t.deepEqual(rows, [{ seven: 7 }])
  t.deepEqual(await database.query('select 8 as eight'), [{ eight: 8 }])
})

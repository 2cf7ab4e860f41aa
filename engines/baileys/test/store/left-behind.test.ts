import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { initAuthCreds } from 'baileys'
import { linkedInFolder } from '../../store/sqlite/left-behind.ts'
import { openStore as openEngineStore } from '../../store/open-store.ts'
import { KEY, openStore, STORE_PARTS, temporaryFolder } from '../helpers/open-store.ts'
import { temporaryDatabase, testWithPostgres } from '../helpers/test-database.ts'

const SESSION = { sessionId: 's1', number: '491700', creds: initAuthCreds() }

// [engine-fleet.store.12]
test('the linked numbers of a folder are counted without a trace in it', async (t) => {
  const folder = temporaryFolder(t)
  t.is(linkedInFolder(folder), 0)
  t.is(linkedInFolder(join(folder, 'absent')), 0)
  t.deepEqual(readdirSync(folder), [])
  const store = openStore(folder)
  for (const id of ['num_1', 'num_2']) await (await store.number(id)).saveSession(SESSION)
  await store.close()
  const before = readFileSync(join(folder, 'engine.sqlite'))
  t.is(linkedInFolder(folder), 2)
  t.deepEqual(readdirSync(folder), ['engine.sqlite'])
  t.deepEqual(readFileSync(join(folder, 'engine.sqlite')), before)
})

test('the linked numbers of an engine that was killed are counted, and those of one that runs are not', async (t) => {
  const folder = temporaryFolder(t)
  const store = openStore(folder)
  t.teardown(() => store.close())
  await (await store.number('num_1')).saveSession(SESSION)
  t.is(linkedInFolder(folder), 'held')
  const killed = join(folder, 'killed')
  mkdirSync(killed)
  for (const name of ['engine.sqlite', 'engine.sqlite-wal']) copyFileSync(join(folder, name), join(killed, name))
  t.is(linkedInFolder(killed), 1)
  const again = openStore(killed)
  t.deepEqual(await again.linked(), ['num_1'])
  await again.close()
})

// [engine-fleet.store.12]
testWithPostgres(
  'an engine on PostgreSQL does not start while its folder still holds linked numbers',
  async (t, server) => {
    const [dataDir, databaseUrl] = [temporaryFolder(t), await temporaryDatabase(t, server)]
    const store = openStore(dataDir)
    await (await store.number('num_1')).saveSession(SESSION)
    await store.close()
    const opening = openEngineStore({ dataDir, databaseUrl, key: KEY, leaseMs: 9_000 }, STORE_PARTS)
    const { message } = await t.throwsAsync(opening, { name: 'StartFault' })
    t.regex(message, /still holds 1 linked number: run `npm run engine -- move --from sqlite --to postgres`/)
  },
)

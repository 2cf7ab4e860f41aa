import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'ava'
import { openDatabase, storeKey } from '../../store/sqlite/database.ts'
import { externalIdOf } from '../../store/outgoing.ts'
import { openStore, temporaryFolder } from '../helpers/open-store.ts'
import { storeContract } from './contract.ts'

/** SQLite's number for `synchronous = full`. */
const FULL = 2

storeContract('SQLite', async (t) => {
  const folder = temporaryFolder(t)
  return {
    open: async (now) => {
      const store = openStore(folder, now)
      t.teardown(() => store.close().catch(() => {}))
      return store
    },
    atRest: async () =>
      Buffer.concat(
        readdirSync(folder)
          .filter((name) => name.startsWith('engine.sqlite'))
          .map((name) => readFileSync(join(folder, name))),
      ),
  }
})

// [engines.baileys.9]
test('a second engine cannot open the same folder, and is told what to do', async (t) => {
  const folder = temporaryFolder(t)
  const store = openStore(folder)
  const error = t.throws(() => openDatabase(folder), { name: 'StartFault' })
  t.regex(error.message, /ENGINE_DATA_DIR .* in use by another engine/)
  await store.close()
  t.notThrows(() => openDatabase(folder).close())
})

// [engines.baileys.5]
test('the store is one database of SQLite that writes ahead and waits for the disk at each commit', (t) => {
  const db = openDatabase(temporaryFolder(t))
  t.true(db instanceof DatabaseSync)
  t.deepEqual({ ...db.prepare('pragma journal_mode').get() }, { journal_mode: 'wal' })
  t.deepEqual({ ...db.prepare('pragma synchronous').get() }, { synchronous: FULL })
  const tables = db.prepare("select name from sqlite_schema where type = 'table'").all()
  for (const table of ['keys', 'journal', 'outgoing'])
    t.true(
      tables.some(({ name }) => name === table),
      table,
    )
  db.close()
})

// [engines.baileys.10]
test('a key is made beside the store, for its owner alone, and found again', (t) => {
  const folder = temporaryFolder(t)
  const key = storeKey(folder, null)
  t.is(key.length, 32)
  t.deepEqual(storeKey(folder, null), key)
  t.is(statSync(join(folder, 'engine.key')).mode & 0o777, 0o600)
})

test('a store of an engine from before polls is taken over, with what is in it', async (t) => {
  const folder = temporaryFolder(t)
  const store = openStore(folder)
  const before = await store.number('one')
  await before.outgoing.begin({ messageId: 'm', externalId: 'E', jid: 'j', message: Buffer.from('x') })
  await store.close()
  const old = new DatabaseSync(join(folder, 'engine.sqlite'))
  old.exec('drop table polls; pragma user_version = 1')
  old.close()
  const later = openStore(folder)
  t.teardown(() => later.close())
  const number = await later.number('one')
  t.like(await number.outgoing.find('m'), { externalId: 'E' })
  const poll = { externalId: 'E1', messageId: 'msg_1', secret: Buffer.alloc(32, 3), options: ['Now'] }
  await number.polls.note(poll)
  t.deepEqual(await number.polls.find('E1'), poll)
})

// [engines.baileys-duties.2]
test("the upstream id follows from the gateway's id and the number alone", (t) => {
  t.is(externalIdOf('num_1', 'msg_1'), externalIdOf('num_1', 'msg_1'))
  t.not(externalIdOf('num_1', 'msg_1'), externalIdOf('num_2', 'msg_1'))
  t.regex(externalIdOf('num_1', 'msg_1'), /^3EB0[0-9A-F]{18}$/)
})

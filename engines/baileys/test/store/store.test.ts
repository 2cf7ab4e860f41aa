import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Curve, initAuthCreds } from 'baileys'
import test from 'ava'
import { openDatabase, storeKey } from '../../store/database.ts'
import { externalIdOf } from '../../store/outgoing.ts'
import { messageKeyOf } from '../../store/stanza-part.ts'
import { openStore, temporaryFolder } from '../helpers/open-store.ts'

/** SQLite's number for `synchronous = full`. */
const FULL = 2
const PART = {
  attrs: { from: '1@lid', id: 'A1' },
  part: 0,
  parts: 1,
  type: 'msg',
  plaintext: Buffer.from('secret words'),
}
const KEY_OF_PART = messageKeyOf(PART.attrs)

// [engines.baileys.9]
test('a second engine cannot open the same folder, and is told what to do', (t) => {
  const folder = temporaryFolder(t)
  const store = openStore(folder)
  const error = t.throws(() => openDatabase(folder), { name: 'StartFault' })
  t.regex(error.message, /ENGINE_DATA_DIR .* in use by another engine/)
  store.close()
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

test('the 812 keys of a first login are one commit, and read back after a restart as they were', async (t) => {
  const folder = temporaryFolder(t)
  const store = openStore(folder)
  const { keys } = store.number('num_1')
  const pairs = Object.fromEntries(
    Array.from({ length: 812 }, (_, index) => [String(index + 1), Curve.generateKeyPair()]),
  )
  await keys.set({ 'pre-key': pairs })
  store.close()
  const again = openStore(folder)
  const read = await again.number('num_1').keys.get('pre-key', ['1', '812', '813'])
  t.deepEqual(Object.keys(read), ['1', '812'])
  t.deepEqual(Buffer.from(read['812']!.private), Buffer.from(pairs['812']!.private))
  await again.number('num_1').keys.set({ 'pre-key': { 1: null } })
  t.deepEqual(await again.number('num_1').keys.get('pre-key', ['1']), {})
  again.close()
})

test('keys of one number are not those of another', async (t) => {
  const store = openStore(temporaryFolder(t))
  await store.number('num_1').keys.set({ session: { a: Buffer.from([1]) } })
  t.deepEqual(await store.number('num_2').keys.get('session', ['a']), {})
  store.close()
})

// [engines.baileys.10]
test('nothing that people wrote, nor a credential, stands in the file in plain', async (t) => {
  const folder = temporaryFolder(t)
  const store = openStore(folder)
  const number = store.number('num_1')
  const creds = initAuthCreds()
  number.journal.putNow(PART)
  await number.saveSession({ sessionId: 's', number: '491700', creds })
  await number.events.add([{ ev: 'message.received', text: 'secret words' }], null)
  await number.outgoing.begin({
    messageId: 'm',
    externalId: 'x',
    jid: '491709@s.whatsapp.net',
    message: Buffer.from('secret words'),
  })
  const bytes = Buffer.concat(
    readdirSync(folder)
      .filter((name) => name.startsWith('engine.sqlite'))
      .map((name) => readFileSync(join(folder, name))),
  )
  for (const plain of ['secret words', creds.advSecretKey, '491709']) t.false(bytes.includes(plain), plain)
  t.is(number.session()?.creds.advSecretKey, creds.advSecretKey)
  store.close()
})

// [engines.baileys-duties.1]
test('a journalled message leaves once its event was acknowledged, and its name is remembered', async (t) => {
  const folder = temporaryFolder(t)
  const store = openStore(folder)
  const { journal, events } = store.number('num_1')
  journal.putNow(PART)
  t.is(journal.untold().length, 1)
  const [event] = await events.add([{ ev: 'message.received' }], KEY_OF_PART, () => journal.markTold(KEY_OF_PART, 1, 1))
  t.is(journal.untold().length, 0)
  t.truthy(journal.find(KEY_OF_PART, 0))
  store.close()
  const again = openStore(folder).number('num_1')
  t.deepEqual(again.events.after(0, 10), [event])
  t.is(again.journal.untold().length, 0)
  await again.events.acknowledge(() => event!.seq)
  t.is(again.journal.find(KEY_OF_PART, 0), null)
  t.true(again.journal.isTold(KEY_OF_PART))
  t.is(again.events.waiting, 0)
})

test('a journalled message that was not told is found after a restart, parts and order kept', (t) => {
  const folder = temporaryFolder(t)
  const store = openStore(folder)
  for (const id of ['A3', 'A1', 'A2']) {
    for (const part of [0, 1])
      store.number('num_1').journal.putNow({ ...PART, attrs: { ...PART.attrs, id }, part, parts: 2 })
  }
  store.close()
  const untold = openStore(folder).number('num_1').journal.untold()
  t.deepEqual(
    untold.map(({ parts }) => [parts[0]?.attrs['id'], parts.length]),
    [
      ['A3', 2],
      ['A1', 2],
      ['A2', 2],
    ],
  )
  t.is(Buffer.from(untold[0]!.parts[0]!.plaintext).toString(), 'secret words')
})

test('numbers of events rise over restarts, even where all were acknowledged', async (t) => {
  const folder = temporaryFolder(t)
  const store = openStore(folder, () => 1_000)
  const [first] = await store.number('num_1').events.add([{ ev: 'a' }], null)
  t.is(first?.seq, 1_001)
  await store.number('num_1').events.acknowledge(() => 1_001)
  store.close()
  const [second] = await openStore(folder, () => 500)
    .number('num_1')
    .events.add([{ ev: 'a' }], null)
  t.is(second?.seq, 1_002)
})

test('a failed piece of work undoes nothing of the others in the same commit', async (t) => {
  const store = openStore(temporaryFolder(t))
  const { keys } = store.number('num_1')
  const outcomes = await Promise.allSettled([
    keys.set({ session: { a: Buffer.from([1]) } }),
    store.writer.write(() => {
      throw new Error('no')
    }),
    keys.set({ session: { b: Buffer.from([2]) } }),
  ])
  t.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  t.deepEqual(Object.keys(await keys.get('session', ['a', 'b'])), ['a', 'b'])
  store.close()
})

test('a sent message is found by either name for 72 hours', async (t) => {
  let now = 0
  const store = openStore(temporaryFolder(t), () => now)
  const { outgoing } = store.number('num_1')
  const externalId = externalIdOf('num_1', 'msg_1')
  await outgoing.begin({ messageId: 'msg_1', externalId, jid: '1@s.whatsapp.net', message: Buffer.from([1]) })
  t.is(outgoing.find('msg_1')?.state, 'PENDING')
  await outgoing.markSent('msg_1')
  t.is(outgoing.byExternalId(externalId)?.messageId, 'msg_1')
  t.is(outgoing.byExternalId(externalId)?.state, 'SENT')
  now = 72 * 3_600_000 - 1
  t.is(await store.purge(), 0)
  now += 2
  t.is(await store.purge(), 1)
  t.is(outgoing.find('msg_1'), null)
})

// [engines.baileys-duties.2]
test("the upstream id follows from the gateway's id and the number alone", (t) => {
  t.is(externalIdOf('num_1', 'msg_1'), externalIdOf('num_1', 'msg_1'))
  t.not(externalIdOf('num_1', 'msg_1'), externalIdOf('num_2', 'msg_1'))
  t.regex(externalIdOf('num_1', 'msg_1'), /^3EB0[0-9A-F]{18}$/)
})

test('a wiped device leaves no keys and no words of it, and keeps messages that wait', async (t) => {
  const store = openStore(temporaryFolder(t))
  const number = store.number('num_1')
  await number.saveSession({ sessionId: 's', number: '1', creds: initAuthCreds() })
  await number.keys.set({ session: { a: Buffer.from([1]) } })
  await number.events.add([{ ev: 'session.credentials' }, { ev: 'message.received' }], null)
  await number.wipeSession()
  t.is(number.session(), null)
  t.deepEqual(await number.keys.get('session', ['a']), {})
  t.deepEqual(
    number.events.after(0, 10).map(({ ev }) => ev),
    ['message.received'],
  )
})

test('after a reconnect only the latest of the waiting states and codes is sent again', async (t) => {
  const { events } = openStore(temporaryFolder(t)).number('num_1')
  await events.add(
    [
      { ev: 'session.qr', qr: 'a' },
      { ev: 'session.qr', qr: 'b' },
      { ev: 'message.received' },
      { ev: 'session.state', state: 'OPEN' },
      { ev: 'session.credentials' },
    ],
    null,
  )
  await events.add([{ ev: 'session.state', state: 'CONNECTING' }], null)
  t.deepEqual(
    events.after(0, 10).map(({ ev, state }) => [ev, state].join(' ')),
    ['message.received ', 'session.credentials ', 'session.state CONNECTING'],
  )
  t.is(events.waiting, 3)
})

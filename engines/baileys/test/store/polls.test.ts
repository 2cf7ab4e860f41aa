import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import test from 'ava'
import { POLL_MS } from '../../store/polls.ts'
import { openStore, temporaryFolder } from '../helpers/open-store.ts'

const POLL = { externalId: 'E1', messageId: 'msg_1', secret: Buffer.alloc(32, 3), options: ['Now', 'Later'] }

test('a poll is found by its number alone, after the engine was killed too, until its time is over', async (t) => {
  const folder = temporaryFolder(t)
  let now = 1_000
  let store = openStore(folder, () => now)
  await store.number('one').polls.note(POLL)
  await store.number('one').polls.note({ ...POLL, messageId: 'msg_2' })
  store.close()
  store = openStore(folder, () => now)
  t.teardown(() => store.close())
  t.deepEqual(store.number('one').polls.find('E1'), POLL)
  t.is(store.number('two').polls.find('E1'), null)
  now += POLL_MS
  t.is(await store.purge(), 0)
  now += 1
  t.is(await store.purge(), 1)
  t.is(store.number('one').polls.find('E1'), null)
})

test('a store of an engine from before polls is taken over, with what is in it', async (t) => {
  const folder = temporaryFolder(t)
  const store = openStore(folder)
  await store.number('one').outgoing.begin({ messageId: 'm', externalId: 'E', jid: 'j', message: Buffer.from('x') })
  store.close()
  const old = new DatabaseSync(join(folder, 'engine.sqlite'))
  old.exec('drop table polls; pragma user_version = 1')
  old.close()
  const later = openStore(folder)
  t.teardown(() => later.close())
  t.like(later.number('one').outgoing.find('m'), { externalId: 'E' })
  await later.number('one').polls.note(POLL)
  t.deepEqual(later.number('one').polls.find('E1'), POLL)
})

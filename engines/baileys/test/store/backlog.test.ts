import test from 'ava'
import { openStore, temporaryFolder } from '../helpers/open-store.ts'

test('a backlog gives its oldest events, and forgets them with the commit that told them', async (t) => {
  const folder = temporaryFolder(t)
  const store = openStore(folder)
  const number = store.number('num_1')
  await number.backlog.put(['a', 'b', 'c'].map((name) => ({ ev: 'message.received', name })))
  await store.number('num_2').backlog.put([{ ev: 'message.received', name: 'other' }])
  const { events, remove } = number.backlog.first(2)
  t.deepEqual(
    events.map(({ name }) => name),
    ['a', 'b'],
  )
  await number.events.add(events, null, remove)
  store.close()
  const again = openStore(folder)
  t.teardown(() => again.close())
  t.deepEqual(
    again
      .number('num_1')
      .backlog.first(9)
      .events.map(({ name }) => name),
    ['c'],
  )
  t.is(again.number('num_1').events.waiting, 2)
  t.deepEqual(
    again
      .number('num_2')
      .backlog.first(9)
      .events.map(({ name }) => name),
    ['other'],
  )
})

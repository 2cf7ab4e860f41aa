import { signal } from '@preact/signals'
import test from 'ava'
import { countOf, UnreadTeller } from '../../web/chat/state/unread-teller.ts'
import type { Unread } from '../../web/chat/state/unread-teller.ts'
import { until } from '../helpers/until.ts'

test('messages on the screen do not count as unread', (t) => {
  t.is(countOf({ total: 3, onScreen: null }), 3)
  t.is(countOf({ total: 3, onScreen: 1 }), 2)
  t.is(countOf({ total: 0, onScreen: 1 }), 0)
})

test('the host hears the first count at once, each once, and none of what is read as it comes (case 2)', async (t) => {
  const unread = signal<Unread>({ total: 0, onScreen: null })
  const told: number[] = []
  const teller = new UnreadTeller(
    () => unread.value,
    (count) => told.push(count),
  )
  teller.begin()
  unread.value = { total: 1, onScreen: null }
  t.deepEqual(told, [0, 1], 'nothing is open')
  // The conversation is opened and read, then another message arrives. The total changes first, then the conversation.
  for (const next of [
    { total: 1, onScreen: 1 },
    { total: 0, onScreen: 1 },
    { total: 0, onScreen: 0 },
  ])
    unread.value = next
  await until('it is read', () => told.length === 3)
  for (const next of [
    { total: 1, onScreen: 0 },
    { total: 1, onScreen: 1 },
    { total: 0, onScreen: 1 },
    { total: 0, onScreen: 0 },
    { total: 2, onScreen: 0 },
  ])
    unread.value = next
  await until('others are told', () => told.length === 4)
  t.deepEqual(told, [0, 1, 0, 2])
  teller.end()
  unread.value = { total: 9, onScreen: null }
  t.is(told.length, 4)
})

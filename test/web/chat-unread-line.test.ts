import test from 'ava'
import type { MessagePage } from '../../web/chat/model/thread.ts'
import { lookedForIn } from '../../web/chat/model/unread-line.ts'
import type { UnreadLine } from '../../web/chat/model/unread-line.ts'
import { message } from '../helpers/scripted-inbox.ts'

const ALL = 150

/** The unread line after each page of 50 messages, newest first. Every tenth message is outbound. */
function lines(unread: number): readonly UnreadLine[] {
  const all = Array.from({ length: ALL }, (_, n) =>
    message(n, ALL, n % 10 === 0 ? { direction: 'OUTBOUND' } : { direction: 'INBOUND' }),
  )
  const pages = [100, 50, 0].map((from): MessagePage => ({
    messages: all.slice(from, from + 50).toReversed(),
    hasOlder: from > 0,
    hasNewer: false,
  }))
  let line: UnreadLine = { from: null, before: unread }
  return pages.map((page) => (line = lookedForIn(line, page)))
}

const idOf = (n: number): string => message(n, ALL).id

test('the unread line stands before the first unread message, and is not drawn until that message is loaded', (t) => {
  t.deepEqual(
    lines(0),
    Array.from({ length: 3 }, () => ({ from: null, before: 0 })),
  )
  t.deepEqual(lines(1)[0], { from: idOf(149), before: 0 })
  t.deepEqual(lines(45)[0], { from: idOf(101), before: 0 })
  t.deepEqual(lines(46).slice(0, 2), [
    { from: null, before: 1 },
    { from: idOf(99), before: 0 },
  ])
  t.deepEqual(lines(100), [
    { from: null, before: 55 },
    { from: null, before: 10 },
    { from: idOf(39), before: 0 },
  ])
})

test('a reaction is no message that could be unread: the line stands before what is', (t) => {
  const page: MessagePage = {
    messages: [
      message(3, 3, { direction: 'INBOUND', type: 'reaction' }),
      message(2, 3, { direction: 'INBOUND' }),
      message(1, 3, { direction: 'INBOUND' }),
    ],
    hasOlder: false,
    hasNewer: false,
  }
  t.deepEqual(lookedForIn({ from: null, before: 1 }, page), { from: message(2, 3).id, before: 0 })
})

test('with more unread messages than exist, the line stands before all of them', (t) => {
  t.deepEqual(lines(1_000).at(-1), { from: idOf(1), before: 0 })
  t.deepEqual(lookedForIn({ from: null, before: 3 }, { messages: [], hasOlder: false, hasNewer: false }), {
    from: null,
    before: 0,
  })
})

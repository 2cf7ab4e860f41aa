import test from 'ava'
import { RestrictionWatch } from '../../session/restriction.ts'

const MINUTE_MS = 60_000
const refusedWith = (code: string) => ({
  code: 'FAILED',
  message: `The network refused the message (${code})`,
  retryable: false,
})

/** A watch with functions that tell it what became of messages, `atMinute`. */
function open() {
  const watch = new RestrictionWatch(0)
  return {
    refused: (chat: string, atMinute: number, code = '463') =>
      watch.note({ chat, isTaken: false, error: refusedWith(code) }, atMinute * MINUTE_MS),
    taken: (chat: string, atMinute: number) => watch.note({ chat, isTaken: true, error: null }, atMinute * MINUTE_MS),
  }
}

// [message-verbs.pace.3]
test('several refusals 463 within an hour mean a restricted account while other chats go on, told once', (t) => {
  const { refused, taken } = open()
  t.deepEqual(
    [taken('old', 1), refused('a', 2), refused('b', 3), refused('c', 4), refused('d', 5)],
    [null, null, null, 'restricted', null],
  )
})

test('refusals alone, of one person among them, other codes, or spread over hours, mean no restricted account', (t) => {
  const alone = open()
  t.deepEqual([alone.refused('a', 1), alone.refused('b', 2), alone.refused('c', 3)], [null, null, null])
  t.is(alone.taken('old', 4), 'restricted', 'once another chat goes on')
  const others = open()
  t.deepEqual(
    [others.taken('old', 1), ...[2, 3, 4, 5].map((at) => others.refused('a', at, '479'))],
    [null, null, null, null, null],
  )
  const spread = open()
  t.deepEqual(
    [1, 40, 80, 120].flatMap((at) => [spread.taken('old', at), spread.refused('a', at)]),
    Array.from({ length: 8 }, () => null),
  )
})

test('it is over after an hour without a refusal, which is told once, and after a restart too', (t) => {
  const { refused, taken } = open()
  taken('old', 1)
  for (const at of [2, 3, 4]) refused('a', at)
  t.deepEqual([taken('old', 30), taken('old', 63), taken('old', 65), taken('old', 66)], [null, null, 'ok', null])
  const restarted = open()
  t.deepEqual([restarted.taken('old', 30), restarted.taken('old', 61), restarted.taken('old', 62)], [null, 'ok', null])
})

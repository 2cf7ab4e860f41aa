import test from 'ava'
import type { JsonFrame } from '../../src/net/json-socket.ts'
import { RequestTable } from '../../src/net/json-requests.ts'
import type { Reply, RequestRules } from '../../src/net/json-requests.ts'
import { FakeClock } from '../helpers/fake-clock.ts'

const ONCE: RequestRules = { timeoutMs: 100, isResendable: false }
const AGAIN: RequestRules = { timeoutMs: 100, isResendable: true }

function setUp() {
  const clock = new FakeClock()
  const sent: unknown[] = []
  let isOpen = true
  const table = new RequestTable({
    clock,
    unsentWaitMs: 30,
    send: (frame: JsonFrame) => {
      if (isOpen) sent.push(frame['id'])
      return isOpen
    },
  })
  const replies: Record<string, Reply> = {}
  const ask = async (id: string, rules: RequestRules): Promise<void> => {
    replies[id] = await table.request({ id }, rules)
  }
  return {
    clock,
    sent,
    table,
    replies,
    ask,
    block: () => void (isOpen = false),
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

test('requests wait for a ready link and leave in their order; a greeting goes before', async (t) => {
  const { table, sent, ask, replies, settled } = setUp()
  void ask('a', ONCE)
  void ask('b', AGAIN)
  void ask('hello', { ...ONCE, isGreeting: true })
  t.deepEqual(sent, ['hello'])
  table.ready()
  t.deepEqual(sent, ['hello', 'a', 'b'])
  t.true(table.answer('b', { ok: 1 }))
  t.false(table.answer('b', { ok: 2 }))
  t.false(table.answer({}, {}))
  await settled()
  t.deepEqual(replies, { b: { kind: 'answered', frame: { ok: 1 } } })
})

test('without a link, requests that must not run twice give up early and the others at their time limit', async (t) => {
  const { clock, ask, replies, settled } = setUp()
  void ask('once', ONCE)
  void ask('again', AGAIN)
  clock.advance(30)
  await settled()
  t.deepEqual(replies, { once: { kind: 'unsent' } })
  clock.advance(70)
  await settled()
  t.deepEqual(replies['again'], { kind: 'unsent' })
})

test('a lost link fails greetings and requests that must not run twice; the others are sent again within their time', async (t) => {
  const { clock, table, sent, ask, replies, settled } = setUp()
  void ask('hello', { ...AGAIN, isGreeting: true })
  table.ready()
  void ask('once', ONCE)
  void ask('again', AGAIN)
  table.dropped()
  await settled()
  t.deepEqual(replies, { hello: { kind: 'dropped' }, once: { kind: 'dropped' } })
  table.ready()
  t.deepEqual(sent, ['hello', 'once', 'again', 'again'])
  clock.advance(100)
  await settled()
  t.deepEqual(replies['again'], { kind: 'timeout' })
})

test('an answer after the time is handed on while the link lasts', async (t) => {
  const { clock, table, ask, settled } = setUp()
  const late: JsonFrame[] = []
  const rules = { ...ONCE, onLateAnswer: (frame: JsonFrame) => void late.push(frame) }
  table.ready()
  void ask('a', rules)
  void ask('b', rules)
  clock.advance(100)
  await settled()
  t.true(table.answer('a', { re: 'a' }))
  table.dropped()
  t.false(table.answer('b', { re: 'b' }))
  t.deepEqual(late, [{ re: 'a' }])
})

test('when a link takes no more frames, requests that cannot wait fail at once', async (t) => {
  const { table, ask, replies, block, settled } = setUp()
  table.ready()
  block()
  void ask('once', ONCE)
  void ask('again', AGAIN)
  await settled()
  t.deepEqual(replies, { once: { kind: 'unsent' } })
})

test('at the end everything is answered, and later requests too', async (t) => {
  const { table, ask, replies, settled } = setUp()
  void ask('waiting', AGAIN)
  await settled()
  table.ready()
  table.dropped()
  void ask('new', AGAIN)
  table.end()
  void ask('after', ONCE)
  await settled()
  t.deepEqual(replies, { waiting: { kind: 'dropped' }, new: { kind: 'unsent' }, after: { kind: 'unsent' } })
})

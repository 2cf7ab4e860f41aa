import test from 'ava'
import { decide } from '../../../actors/number/decide.ts'
import { initialState, REFUSALS } from '../../../actors/number/state.ts'
import { fail } from '../../../src/domain/errors.ts'
import { NumberTable } from './table.ts'

test('what is said to a number before its rows are read waits, and what its rows say counts once', (t) => {
  const table = new NumberTable('UNOFFICIAL')
  t.deepEqual(table.say({ type: 'Loaded', attempt: table.last('load').attempt, outcome: { kind: 'missing' } }), [])
  const loading = initialState('num_1', { disconnectedMs: 1, idleMs: 1, sweepMs: 1 })
  const started = decide(loading, { type: 'Start' }, 0)
  t.deepEqual(started.effects, [{ type: 'load', attempt: 1 }])
  const waiting = decide(started.state, { type: 'AwaitReady', askId: 1 }, 0)
  t.deepEqual(waiting.replies, [])
  const other = decide(waiting.state, { type: 'Loaded', attempt: 0, outcome: { kind: 'missing' } }, 0)
  t.is(other.state.at, 'LOADING')
  const missing = decide(other.state, { type: 'Loaded', attempt: 1, outcome: { kind: 'missing' } }, 0)
  t.deepEqual(missing.effects, [{ type: 'stop', why: 'missing' }])
  t.deepEqual(missing.replies, [{ askId: 1, outcome: fail(REFUSALS.missing) }])
})

test('a turn that throws, and the word that another node has the number, end it in any state', (t) => {
  for (const [type, how, why] of [
    ['Fenced', 'fence', 'fenced'],
    ['Crashed', 'INTERNAL_ERROR', 'crashed'],
  ] as const) {
    const ends = [
      { type: 'endCalls', how },
      { type: 'stop', why },
    ]
    t.deepEqual(new NumberTable('UNOFFICIAL').say({ type }), ends, 'while it writes')
    const ready = new NumberTable('UNOFFICIAL')
    ready.connect()
    t.deepEqual(ready.say({ type }), ends)
    const loading = initialState('num_1', { disconnectedMs: 1, idleMs: 1, sweepMs: 1 })
    t.deepEqual(decide(loading, { type }, 0).effects, ends)
  }
})

test('while a change of the row is being stored, what the session tells waits in order', (t) => {
  const table = new NumberTable('UNOFFICIAL')
  table.connect()
  table.hear({ type: 'credentials', seq: 1, credentials: 'new' })
  t.deepEqual(table.hear({ type: 'unused', seq: 2 }), [])
  t.deepEqual(table.hear({ type: 'unused', seq: 3 }), [])
  t.deepEqual(table.saved(), [
    { type: 'settle', seq: 1 },
    { type: 'settle', seq: 2 },
    { type: 'settle', seq: 3 },
  ])
})

test('before the first report of its session a number of the platform does nothing but hear it', (t) => {
  const table = new NumberTable('OFFICIAL')
  const { sessionId } = table.last('openSession')
  t.deepEqual(table.say({ type: 'Receive' }), [])
  t.deepEqual(table.say({ type: 'AwaitReady', askId: 1 }), [])
  t.is(table.reply(1), undefined)
  table.say({
    type: 'Session',
    sessionId,
    event: { type: 'state', seq: 1, state: 'OPEN', reason: null },
    callId: null,
  })
  t.like(table.reply(1), { outcome: { ok: true } })
})

test('a number that stopped refuses what is asked, and only that', (t) => {
  const table = new NumberTable('UNOFFICIAL')
  table.saved('fenced')
  table.say({ type: 'CurrentCode', askId: 1 })
  table.say({ type: 'DeviceAnswered', askId: 2 })
  table.say({ type: 'Send' })
  t.deepEqual(table.replies, [{ askId: 1, outcome: fail(REFUSALS.fenced) }])
})

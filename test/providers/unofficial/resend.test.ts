import test from 'ava'
import type { BridgeEvent } from '../../../src/domain/device-bridge.ts'
import { until } from '../../helpers/until.ts'
import { probe, sequenced } from '../session-probe.ts'

const ringing = (callId: string): BridgeEvent => ({ ev: 'call.ringing', callId })
const state = (state: 'OPEN' | 'CONNECTING' | 'CLOSE'): BridgeEvent => ({ ev: 'session.state', state })

test('events settled out of order are acknowledged in order', async (t) => {
  const { number, told, session } = await probe(t)
  await until('up', () => told.length === 1)
  for (const callId of ['a', 'b', 'c', 'd']) number.emit(ringing(callId))
  await until('told', () => told.length === 5)
  session.settle(3)
  session.settle(2)
  session.settle(1)
  session.settle(1)
  await until('acknowledged', () => number.acks.length > 0)
  session.settle(4)
  await until('acknowledged whole', () => number.acks.length > 1)
  t.deepEqual(number.acks, [3, 4])
})

test('an event re-sent before its outcome is stored is told once and acknowledged once stored', async (t) => {
  const { number, told, session } = await probe(t)
  await until('up', () => told.length === 1)
  number.emit(ringing('a'))
  await until('told', () => told.length === 2)
  number.drop()
  await until('it reconnected', () => number.opsOf('session.start').length === 2)
  number.emit(ringing('b'))
  await until('the next is told', () => sequenced(told).length === 2)
  t.deepEqual(
    sequenced(told).map((event) => event.seq),
    [1, 2],
  )
  session.settle(2)
  session.settle(1)
  await until('acknowledged', () => number.acks.length > 0)
  t.deepEqual(number.acks, [2])
})

test('an event that was settled while the link was down is acknowledged when it is sent again, and not told', async (t) => {
  const { number, told, session } = await probe(t)
  await until('up', () => told.length === 1)
  number.emit(ringing('a'))
  await until('told', () => told.length === 2)
  number.drop()
  await until('down', () => told.some((event) => event.type === 'linkDown'))
  session.settle(1)
  await until('acknowledged after all', () => number.acks.length === 1)
  t.deepEqual(number.acks, [1])
  t.is(sequenced(told).length, 1)
  t.deepEqual(number.kept, [])
})

test('an engine that restarted and counts from one again is heard, even where it says the same', async (t) => {
  const { number, told, session } = await probe(t)
  await until('up', () => told.length === 1)
  number.emit(state('CONNECTING'))
  number.emit(state('OPEN'))
  number.emit(ringing('a'))
  await until('told', () => sequenced(told).length === 3)
  for (const event of sequenced(told)) session.settle(event.seq)
  await until('acknowledged', () => number.acks.at(-1) === 3)
  number.restart()
  await until('it reconnected', () => number.opsOf('session.start').length === 2)
  number.emit(state('CONNECTING'))
  number.emit(state('OPEN'))
  number.emit(ringing('b'))
  number.emit(ringing('c'))
  await until('all are told', () => sequenced(told).length === 7)
  t.deepEqual(
    sequenced(told)
      .slice(3)
      .map((event) => event.type),
    ['state', 'state', 'callRinging', 'callRinging'],
  )
  t.deepEqual(
    sequenced(told).map((event) => event.seq),
    [1, 2, 3, 4, 5, 6, 7],
    'what is stored keeps rising',
  )
})

test('after a restart of the engine no acknowledgement exceeds what it counted', async (t) => {
  const { number, told, session } = await probe(t)
  await until('up', () => told.length === 1)
  for (const callId of ['a', 'b', 'c']) number.emit(ringing(callId))
  await until('told', () => sequenced(told).length === 3)
  const old = sequenced(told)
  number.restart()
  await until('it reconnected', () => number.opsOf('session.start').length === 2)
  number.emit(ringing('x'))
  await until('the new one is told', () => sequenced(told).length === 4)
  // The events of the old count are stored only now. Their numbers must not acknowledge events of the new count.
  for (const event of old) session.settle(event.seq)
  number.emit(ringing('y'))
  await until('the next is told', () => sequenced(told).length === 5)
  t.deepEqual(number.acks, [])
  session.settle(sequenced(told)[3]?.seq ?? -1)
  await until('acknowledged', () => number.acks.length === 1)
  t.deepEqual(number.acks, [1])
})

test('after a restart of the gateway events below the stored figure are still told', async (t) => {
  const { number, told, session } = await probe(t, { ackedSeq: 57 })
  await until('up', () => told.length === 1)
  number.emit(ringing('a'))
  await until('told', () => sequenced(told).length === 1)
  t.is(sequenced(told)[0]?.seq, 58, 'what is stored keeps rising')
  t.deepEqual(number.acks, [], 'the stored figure is not sent')
  session.settle(58)
  await until('acknowledged', () => number.acks.length === 1)
  t.deepEqual(number.acks, [1])
})

test('events that a closed session did not settle are told to the next one', async (t) => {
  const { number, told, session, reopen } = await probe(t)
  await until('up', () => told.length === 1)
  number.emit(ringing('a'))
  number.emit(ringing('b'))
  await until('told', () => sequenced(told).length === 2)
  session.settle(1)
  await until('acknowledged', () => number.acks.length === 1)
  session.close()
  const next = reopen()
  await until('told again', () => sequenced(next.told).length === 1)
  t.like(sequenced(next.told)[0], { type: 'callRinging', externalCallId: 'b' })
})

test('a settled CLOSE whose acknowledgement got lost does not end the session opened next', async (t) => {
  const { number, told, session, reopen } = await probe(t)
  await until('up', () => told.length === 1)
  number.emit({ ev: 'session.state', state: 'CLOSE', reason: 'qr_expired' })
  number.drop()
  await until('told', () => told.some((event) => event.type === 'linkDown'))
  session.close()
  session.settle(sequenced(told)[0]?.seq ?? -1)
  const next = reopen()
  await until('it is acknowledged', () => number.acks.includes(1))
  number.emit({ ev: 'session.qr', qr: 'QR', pairingCode: null, expiresInMs: 60_000 })
  await until('the code is told', () => sequenced(next.told).length > 0)
  t.deepEqual(
    sequenced(next.told).map((event) => event.type),
    ['qr'],
  )
  // A later, equal event of the session must be told.
  number.emit({ ev: 'session.state', state: 'CLOSE', reason: 'qr_expired' })
  await until('the new end is told', () => sequenced(next.told).length === 2)
})

// [bridge.socket.6]
test('unknown and unreadable events are acknowledged and not told; malformed frames are dropped', async (t) => {
  const { number, told, session } = await probe(t)
  await until('up', () => told.length === 1)
  number.raw({ ev: 'session.mood', seq: 1, mood: 'good' })
  number.raw({ ev: 'call.incoming', seq: 2, callId: 'c1' })
  number.raw('not json')
  number.raw('[1,2]')
  number.raw({ ev: 'call.ringing', callId: 'no seq' })
  number.raw({ ev: 'call.ringing', seq: 3, callId: 'c3' })
  await until('the good one is told', () => told.length === 2)
  await until('the others are acknowledged', () => number.acks.includes(2))
  session.settle(3)
  await until('all is acknowledged', () => number.acks.includes(3))
  t.deepEqual(
    sequenced(told).map((event) => event.type),
    ['callRinging'],
  )
})

test('an end by replacement told before the session started is of an earlier one', async (t) => {
  const { number, told, engine } = await probe(t)
  engine.onRequest = ({ op }, at) => {
    if (op === 'session.start') at.emit({ ev: 'session.state', state: 'CLOSE', reason: 'replaced' })
    return undefined
  }
  await until('acknowledged', () => number.acks.includes(1))
  number.drop()
  await until('it reconnects', () => number.connects === 2)
  t.deepEqual(sequenced(told), [])
})

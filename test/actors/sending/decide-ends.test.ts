import test from 'ava'
import { newId } from '../../../src/domain/ids.ts'
import { head, SendingTable, SENT } from './table.ts'

const many = (count: number) => Array.from({ length: count }, (_, at) => String(at))

test('sending that was fenced stops at once and says why, and nothing that comes later moves it', (t) => {
  const table = new SendingTable().wake().find(head('1')).begun('1').forget().say({ type: 'Fenced' })
  t.deepEqual(table.last('stop'), { type: 'stop', why: 'fenced' })
  t.is(table.state.gate, 'STOPPED')
  const before = table.state
  table.forget().answer('1', SENT).wake().say({ type: 'Shut' }).say({ type: 'Drain' }).say({ type: 'TimerFired' })
  t.deepEqual(table.effects, [])
  t.is(table.state, before)
})

test('sending that drains is opened by no wake, and a session that ends meanwhile leaves it draining', (t) => {
  const table = new SendingTable().wake().find(head('1')).begun('1').say({ type: 'Drain' }).forget()
  t.is(table.state.gate, 'DRAINING')
  table.wake().say({ type: 'Shut' }).pass(60_000)
  t.is(table.state.gate, 'DRAINING')
  t.deepEqual(table.all('readHeads'), [])
  table.answer('1', SENT).settled('1')
  t.deepEqual(table.last('stop'), { type: 'stop', why: 'drained' })
})

test('sending whose session ended is shut until a wake, and a second end changes nothing', (t) => {
  const table = new SendingTable().wake().say({ type: 'Shut' })
  t.is(table.state.gate, 'SHUT')
  const before = table.state
  t.is(table.say({ type: 'Shut' }).state, before)
  t.is(table.wake().state.gate, 'OPEN')
})

test('a session that ends takes nothing from a message that upstream has', (t) => {
  const table = new SendingTable().wake().find(head('1')).begun('1').forget().say({ type: 'Shut' })
  t.deepEqual(
    table.effects.filter(({ type }) => type === 'abandon' || type === 'giveBack'),
    [],
  )
  t.true(table.holds('1'))
})

test('a full page of a batch leads to no look behind it: single sends alone may hide there', (t) => {
  const batch = { id: newId('bat'), perMinute: null, begunMs: null }
  const table = new SendingTable().wake()
  const { limit } = table.last('readHeads')
  table.find(...many(limit).map((address) => head(address, { batch })))
  t.false(table.state.look.isWanted)
  const single = new SendingTable().wake()
  single.find(...many(limit).map((address) => head(address)))
  t.true(single.state.look.isWanted)
  const short = new SendingTable().wake()
  short.find(...many(limit - 1).map((address) => head(address)))
  t.false(short.state.look.isWanted)
})

test('a time of the next message that was asked for before a wake is asked for again', (t) => {
  const table = new SendingTable().wake().find()
  const { attempt } = table.last('readDue')
  table.wake().say({ type: 'DueRead', attempt, inMs: 3_000, isKnown: true })
  t.false(table.state.due.isKnown)
  table.pass(2_000).find().pass(2_000)
  t.is(table.all('readDue').length, 2)
})

test('an answer about the next message that nobody waits for says nothing', (t) => {
  const table = new SendingTable().wake().find()
  const { attempt } = table.last('readDue')
  const before = table.state
  t.is(table.say({ type: 'DueRead', attempt: attempt + 1, inMs: 1, isKnown: true }).state, before)
  t.false(table.say({ type: 'DueRead', attempt, inMs: null, isKnown: false }).state.due.isKnown)
})

import test from 'ava'
import type { SendResult } from '../../../src/ports/provider.ts'
import { failure, FAULT, head, SendingTable, throttledBy, UNKNOWN, UNSENT, waits } from './table.ts'

test('a refusal fails the message at once', (t) => {
  const refused: SendResult = { kind: 'refused', failure: { ...FAULT, code: 'INVALID_DESTINATION' } }
  t.is(failure(new SendingTable().wake().find(head('1')).begun('1').answer('1', refused)), 'INVALID_DESTINATION')
})

test('where the upstream recognises repetitions, a message in doubt is sent again up to ten times and stays in doubt in its row', (t) => {
  const table = new SendingTable('UNOFFICIAL').wake()
  const found = head('1')
  table.find(found)
  for (let times = 1; times < 10; times++) {
    table.begun('1').answer('1', UNKNOWN)
    t.deepEqual(table.all('settle'), [])
    table.pass(60_000)
  }
  t.deepEqual(new Set(table.all('send').map(({ message }) => message.id)), new Set([found.id]))
  table.begun('1').answer('1', UNKNOWN)
  t.is(failure(table), 'DELIVERY_TIMEOUT')
})

test('a message in doubt that a later try does not reach upstream with stays in doubt in its row, for as long as it waits', (t) => {
  for (const later of [UNSENT, throttledBy('pair', 5_000)]) {
    const table = new SendingTable('UNOFFICIAL').wake().find(head('1')).begun('1').answer('1', UNKNOWN).pass(60_000)
    table.begun('1').answer('1', later)
    t.deepEqual(table.all('settle'), [], 'putting it off would end the doubt')
    t.true(waits(table, '1') > 0)
    table.pass(60_000)
    t.is(table.all('begin').length, 3)
    table.begun('1').say({ type: 'Shut' }).answer('1', later)
    t.deepEqual([table.all('settle'), table.holds('1')], [[], false], 'without a session it is read anew')
  }
})

test('where only a status can end a doubt, the message waits 20 s for it and is then tried up to four more times', (t) => {
  const table = new SendingTable('OFFICIAL').wake().find(head('1'))
  for (let times = 1; times <= 5; times++) {
    t.is(table.all('begin').length, times)
    table.begun('1').answer('1', UNKNOWN)
    t.is(waits(table, '1'), 20_000)
    table.pass(19_999)
    t.is(table.all('begin').length, times)
    table.pass(1)
  }
  t.is(table.all('send').length, 5)
  t.is(failure(table), 'DELIVERY_TIMEOUT')
})

test('a status that names the message in doubt ends the doubt without a second try', (t) => {
  const table = new SendingTable('OFFICIAL').wake().find(head('1')).begun('1').answer('1', UNKNOWN).pass(20_000)
  table.begun('1', 'moved')
  t.false(table.holds('1'))
  t.is(table.all('send').length, 1)
})

test('a status ends the doubt at once, also when it came before the answer was given up', (t) => {
  const after = new SendingTable('OFFICIAL').wake().find(head('1')).begun('1').answer('1', UNKNOWN)
  after.say({ type: 'Named', messageId: after.hand('1').message.id })
  t.false(after.holds('1'))
  const before = new SendingTable('OFFICIAL').wake().find(head('1')).begun('1')
  before.say({ type: 'Named', messageId: before.hand('1').message.id })
  t.true(before.holds('1'))
  before.answer('1', UNKNOWN)
  t.false(before.holds('1'))
  t.is(before.all('send').length, 1)
  const other = new SendingTable('OFFICIAL').wake().find(head('1')).begun('1').answer('1', UNKNOWN)
  other.say({ type: 'Named', messageId: 'msg_other' })
  t.true(other.holds('1'))
})

test('a row left in doubt by a crash waits for a status all of its time anew, or is sent again at once where that is safe', (t) => {
  const official = new SendingTable('OFFICIAL')
    .wake()
    .find(head('1', { attempts: 1 }, true), head('2', { attempts: 5 }, true))
    .pass(19_999)
  t.deepEqual(official.begunFor(), [])
  official.pass(1)
  t.deepEqual(official.begunFor(), ['1', '2'])
  official.begun('1').answer('1', UNKNOWN).begun('2').answer('2', UNKNOWN)
  t.is(official.hand('1').verdict, null)
  t.is(official.hand('2').verdict?.code, 'DELIVERY_TIMEOUT')
  t.deepEqual(
    new SendingTable('UNOFFICIAL')
      .wake()
      .find(head('1', { attempts: 1 }, true))
      .begunFor(),
    ['1'],
  )
})

test('a repetition that is refused fails only once no status told that an earlier try arrived', (t) => {
  const refused = () =>
    new SendingTable('OFFICIAL')
      .wake()
      .find(head('1'))
      .begun('1')
      .answer('1', UNKNOWN)
      .pass(20_000)
      .begun('1')
      .answer('1', { kind: 'refused', failure: FAULT })
  const arrived = refused().pass(19_999)
  t.deepEqual(arrived.all('settle'), [])
  arrived.say({ type: 'Named', messageId: arrived.hand('1').message.id })
  t.false(arrived.holds('1'))
  t.deepEqual(arrived.all('settle'), [])
  const lost = refused().pass(20_000)
  t.is(failure(lost), 'OFFICIAL_ERROR')
  t.is(lost.all('send').length, 2)
})

test('where upstream knows a repetition, one that is refused fails at once', (t) => {
  const table = new SendingTable()
    .wake()
    .find(head('1'))
    .begun('1')
    .answer('1', UNKNOWN)
    .pass(60_000)
    .begun('1')
    .answer('1', { kind: 'refused', failure: FAULT })
  t.is(failure(table), 'OFFICIAL_ERROR')
})

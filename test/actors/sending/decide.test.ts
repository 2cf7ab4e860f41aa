import test from 'ava'
import type { SendingState } from '../../../actors/sending/state.ts'
import { failure, FAULT, head, IMAGE, SendingTable, SENT, UNKNOWN, UNSENT } from './table.ts'

const media = { ok: true, content: { mode: 'text', text: 'ready', buttons: [], header: null, footer: null } } as const

test('a message goes: looked for, begun in its row, sent, settled, and its conversation looked at again', (t) => {
  const table = new SendingTable().wake()
  const found = head('1')
  table.find(found)
  t.deepEqual(table.all('send'), [])
  table.begun('1')
  t.like(table.last('send'), { message: found, content: { mode: 'text', text: 'hello' } })
  table.answer('1', SENT)
  t.deepEqual(table.last('settle').settlement, { kind: 'sent', messageId: found.id, externalMessageId: 'up' })
  table.settled('1')
  t.false(table.holds('1'))
  t.is(table.all('readHeads').length, 1)
  table.pass(50)
  t.is(table.all('readHeads').length, 2)
  t.deepEqual(table.last('readHeads').except, [])
})

test('conversations in hand are not asked for, and looks that are wanted together are one', (t) => {
  const table = new SendingTable().wake().wake().wake()
  t.is(table.all('readHeads').length, 1)
  table.find(head('1'), head('2'))
  t.is(table.all('readHeads').length, 1)
  table.pass(50)
  t.is(table.all('readHeads').length, 2)
  t.deepEqual(table.last('readHeads').except, ['conv_1', 'conv_2'])
})

test('a full page of conversations leads to a look behind it, but not while enough conversations have their turn', (t) => {
  const table = new SendingTable('UNOFFICIAL').wake()
  t.is(table.last('readHeads').limit, 50)
  table.find(...Array.from({ length: 50 }, (_, index) => head(`${index}`))).pass(1_000)
  t.is(table.all('begin').length, 20)
  t.is(table.all('readHeads').length, 1)
  for (let index = 0; index < 5; index++) table.tries(`${index}`, SENT)
  t.is(table.all('readHeads').length, 2)
})

test('a queue that cannot be read is looked at again', (t) => {
  const table = new SendingTable().wake()
  table.say({ type: 'HeadsRead', attempt: table.last('readHeads').attempt, heads: null }).pass(999)
  t.is(table.all('readHeads').length, 1)
  table.pass(1)
  t.is(table.all('readHeads').length, 2)
})

test('no more than 20 are in flight; the next goes as one is settled', (t) => {
  const table = new SendingTable().wake().find(...Array.from({ length: 22 }, (_, index) => head(`${index}`)))
  t.is(table.all('begin').length, 20)
  table.begun('0').answer('0', SENT)
  t.is(table.all('begin').length, 20)
  table.settled('0')
  t.is(table.all('begin').length, 21)
})

test('a message that expired or was canceled before it was begun is dropped', (t) => {
  const table = new SendingTable().wake().find(head('1')).begun('1', 'moved')
  t.false(table.holds('1'))
  t.deepEqual(table.all('send'), [])
})

test('media are prepared four at once and hold up nobody else', (t) => {
  const table = new SendingTable()
    .wake()
    .find(...['1', '2', '3', '4', '5'].map((address) => head(address, { outgoing: IMAGE })), head('6'))
  t.is(table.all('prepare').length, 4)
  t.deepEqual(table.begunFor(), ['6'])
  table.say({
    type: 'Prepared',
    attempt: table.all('prepare')[1]?.attempt ?? 0,
    conversationId: 'conv_2',
    outcome: media,
  })
  t.deepEqual(table.begunFor(), ['6', '2'])
  t.is(table.last('prepare').message.to.address, '5')
  t.is(table.begun('2').last('send').content, media.content)
})

test('media that cannot be had fail the message: at once, or after three tries when trying may help', (t) => {
  const lost = (isRetryable: boolean) =>
    ({ ok: false, failure: { ...FAULT, code: 'MEDIA_DOWNLOAD_FAILED' }, isRetryable }) as const
  const say = (table: SendingTable, isRetryable: boolean) =>
    table.say({
      type: 'Prepared',
      attempt: table.last('prepare').attempt,
      conversationId: 'conv_1',
      outcome: lost(isRetryable),
    })
  t.is(failure(say(new SendingTable().wake().find(head('1', { outgoing: IMAGE })), false)), 'MEDIA_DOWNLOAD_FAILED')
  const patient = new SendingTable().wake().find(head('1', { outgoing: IMAGE }))
  say(patient, true).pass(1_000)
  say(patient, true).pass(2_000)
  t.is(patient.all('prepare').length, 3)
  t.deepEqual(patient.all('settle'), [])
  t.is(failure(say(patient, true)), 'MEDIA_DOWNLOAD_FAILED')
})

test('an outcome the store did not take is stored later and never lost', (t) => {
  const table = new SendingTable().wake().find(head('1')).begun('1').answer('1', SENT).settled('1', 'failed')
  t.is(table.all('settle').length, 1)
  table.pass(5_000)
  t.is(table.all('settle').length, 2)
  t.like(table.last('settle').settlement, { kind: 'sent' })
  t.false(table.settled('1').holds('1'))
})

test('a begin the store did not take is tried again, and nothing is sent before', (t) => {
  const table = new SendingTable().wake().find(head('1')).begun('1', 'failed')
  t.is(table.all('begin').length, 1)
  table.pass(5_000)
  t.is(table.all('begin').length, 2)
  t.deepEqual(table.all('send'), [])
})

for (const at of ['begin', 'settle'] as const) {
  test(`fenced at ${at}: it stops at once and does nothing any more`, (t) => {
    const table = new SendingTable().wake().find(head('1'), head('2'))
    if (at === 'begin') table.begun('1', 'fenced')
    else table.begun('1').answer('1', SENT).settled('1', 'fenced')
    t.deepEqual(table.last('stop'), { type: 'stop', why: 'fenced' })
    table.forget().wake().begun('2').pass(60_000)
    t.deepEqual(table.effects, [])
  })
}

test('when a session ends, messages that the upstream was not asked for are dropped, and the others are kept', (t) => {
  const table = new SendingTable('UNOFFICIAL', {
    paces: { UNOFFICIAL: { number: { atOnce: 1, everyMs: 1_000 }, pair: { atOnce: 1, everyMs: 1 } } },
  })
  table
    .wake()
    .find(head('1'), head('2'), head('3', { outgoing: IMAGE }))
    .begun('1')
  table.say({ type: 'Shut' })
  t.deepEqual([...table.state.hands.keys()], ['conv_1'])
  t.is(table.last('abandon').attempt, table.last('prepare').attempt)
  table.answer('1', UNSENT)
  t.like(table.last('settle').settlement, { kind: 'again' })
  table.settled('1').pass(60_000)
  t.deepEqual([...table.state.hands.keys()], [])
  t.is(table.all('begin').length, 1)
  t.is(table.all('readHeads').length, 1)
  t.is(table.wake().all('readHeads').length, 2)
})

test('messages that were read for a session that has ended are not taken up', (t) => {
  const table = new SendingTable().wake().say({ type: 'Shut' }).find(head('1'))
  t.false(table.holds('1'))
  table.wake()
  t.is(table.all('readHeads').length, 1)
  t.is(table.pass(50).all('readHeads').length, 2)
})

test('draining stops once the messages that the upstream has are settled', (t) => {
  const table = new SendingTable().wake().find(head('1'), head('2')).begun('1').begun('2').say({ type: 'Drain' })
  table.answer('1', SENT).settled('1').answer('2', UNKNOWN)
  t.deepEqual(table.all('settle').length, 1)
  t.deepEqual(table.last('stop'), { type: 'stop', why: 'drained' })
  t.deepEqual(new SendingTable().say({ type: 'Drain' }).last('stop'), { type: 'stop', why: 'drained' })
})

const idle = (state: SendingState) => state.idleWake === state.wakes

test('when nothing is left it reports that together with the last wake it knew of, and asks when the next message is due', (t) => {
  const table = new SendingTable().wake().find()
  t.deepEqual(table.last('report'), { type: 'report', isBusy: false, wakes: 1 })
  table.say({ type: 'DueRead', attempt: table.last('readDue').attempt, inMs: 3_000, isKnown: true })
  table.pass(2_999)
  t.is(table.all('readHeads').length, 1)
  table.pass(1)
  t.is(table.all('readHeads').length, 2)
  t.is(table.all('report').length, 1)
  table.find(head('1'))
  t.deepEqual(table.last('report'), { type: 'report', isBusy: true, wakes: 1 })
  t.false(idle(table.state))
})

test('a stream of messages asks for the next due one once a second, not each time', (t) => {
  const table = new SendingTable().wake().find()
  table.say({ type: 'DueRead', attempt: table.last('readDue').attempt, inMs: null, isKnown: true })
  for (let index = 0; index < 20; index++) table.pass(100).wake().find(head('1')).tries('1', SENT).pass(50).find()
  t.true(table.all('readDue').length <= 4)
  t.is(table.all('send').length, 20)
  t.true(idle(table.state))
})

test('a message that becomes due between a look and the read of the next due one is looked for at once', (t) => {
  const table = new SendingTable().wake().find()
  table.say({ type: 'DueRead', attempt: table.last('readDue').attempt, inMs: null, isKnown: true })
  table.pass(100).wake().find().pass(900)
  t.is(table.last('readDue').agoMs, 900, 'it may be read a second after the look')
  const looks = table.all('readHeads').length
  table.say({ type: 'DueRead', attempt: table.last('readDue').attempt, inMs: 0, isKnown: true })
  t.is(table.all('readHeads').length, looks + 1)
})

test('no timer runs once the queue is empty and the time of the next message is known', (t) => {
  const table = new SendingTable().wake().find()
  table.say({ type: 'DueRead', attempt: table.last('readDue').attempt, inMs: null, isKnown: true })
  t.is(table.state.timerMs, null)
})

test('a send that cannot be begun for a reason of its own fails with an honest code, is set aside, and its conversation goes on', (t) => {
  const table = new SendingTable().wake()
  const found = head('1')
  table.find(found).refused('1', 'Begun')
  t.is(failure(table), 'INTERNAL_ERROR')
  t.deepEqual(table.last('noteAside'), {
    type: 'noteAside',
    messageId: found.id,
    fault: { reason: '23514', tries: 4 },
  })
  t.deepEqual(table.all('send'), [])
  table.settled('1')
  t.false(table.holds('1'))
})

test('an answer that cannot be stored for a reason of its own says that the message may arrive', (t) => {
  const table = new SendingTable().wake()
  table.find(head('1')).begun('1').answer('1', SENT).refused('1', 'Settled')
  const { settlement } = table.last('settle')
  t.like(settlement, {
    kind: 'failed',
    failure: {
      code: 'INTERNAL_ERROR',
      message:
        'Upstream took the message, and the service could not store its answer, for a fault of its own; it may arrive',
    },
  })
  t.is(table.all('noteAside').length, 1)
  table.refused('1', 'Settled')
  t.is(table.all('noteAside').length, 1)
  table.pass(5_000)
  t.is(table.all('settle').length, 3)
})

import test from 'ava'
import type { SendingState } from '../../../actors/sending/state.ts'
import type { SendResult } from '../../../src/ports/provider.ts'
import { FAULT, head, IMAGE, SendingTable, SENT, throttledBy, UNKNOWN, UNSENT } from './table.ts'

const waits = (table: SendingTable, address: string): number => {
  const { phase } = table.hand(address)
  return phase.at === 'WAITING' ? phase.untilMs - table.nowMs : NaN
}
const failure = (table: SendingTable): string | null => {
  const { settlement } = table.last('settle')
  return settlement.kind === 'failed' ? settlement.failure.code : null
}
const media = { ok: true, content: { mode: 'text', text: 'ready', buttons: [], header: null, footer: null } } as const

test('a message goes: looked for, begun in its row, sent, settled, and its conversation looked at again', (t) => {
  const table = new SendingTable().wake()
  const found = head('1')
  table.find(found)
  t.deepEqual(table.all('send'), [])
  table.begun('1')
  t.like(table.last('send'), { message: found.message, content: { mode: 'text', text: 'hello' } })
  table.answer('1', SENT)
  t.deepEqual(table.last('settle').settlement, { kind: 'sent', messageId: found.message.id, externalMessageId: 'up' })
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

test('a full page of conversations is looked behind, and none while enough of them have their turn', (t) => {
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

test('a number keeps its pace and so does each recipient', (t) => {
  const options = { unofficial: { number: { atOnce: 2, everyMs: 100 }, pair: { atOnce: 1, everyMs: 1_000 } }, lookMs: 0 }
  const table = new SendingTable('UNOFFICIAL', options).wake().find(head('1'), head('2'), head('3'))
  t.deepEqual(table.begunFor(), ['1', '2'])
  table.pass(99)
  t.is(table.all('begin').length, 2)
  table.pass(1)
  t.deepEqual(table.begunFor(), ['1', '2', '3'])
  table.tries('1', SENT).find(head('1'))
  table.pass(899)
  t.is(table.all('begin').length, 3)
  table.pass(1)
  t.deepEqual(table.begunFor(), ['1', '2', '3', '1'])
})

test('defaults: 45 at once to an OFFICIAL recipient, one a second to an UNOFFICIAL one', (t) => {
  const count = (kind: 'OFFICIAL' | 'UNOFFICIAL', seconds: number): number => {
    const table = new SendingTable(kind, {}).wake()
    for (const end = table.nowMs + seconds * 1_000; table.nowMs < end;) {
      if (table.all('readHeads').length > 0 && !table.holds('1') && table.state.look.reading) table.find(head('1'))
      if (table.holds('1') && table.hand('1').phase.at === 'BEGINNING') table.tries('1', SENT)
      table.pass(10)
    }
    return table.all('send').length
  }
  t.is(count('UNOFFICIAL', 5), 5)
  t.is(count('OFFICIAL', 13), 45 + 2)
})

test('no limit is 0 or Infinity', (t) => {
  for (const atOnce of [0, Infinity]) {
    const pace = { number: { atOnce, everyMs: 0 }, pair: { atOnce, everyMs: 0 } }
    const table = new SendingTable('UNOFFICIAL', { unofficial: pace, inFlight: 50 }).wake()
    t.is(table.find(...Array.from({ length: 50 }, (_, index) => head(`${index}`))).all('begin').length, 50)
  }
})

test('throttling of a pair pauses 4^n seconds, that conversation alone, and fails after 8 in a row', (t) => {
  const table = new SendingTable('OFFICIAL').wake().find(head('1'))
  const pauses: number[] = []
  for (let times = 1; times < 8; times++) {
    table.begun('1').answer('1', throttledBy('pair'))
    t.like(table.last('settle').settlement, { kind: 'again' })
    table.settled('1')
    pauses.push(waits(table, '1'))
    if (times === 1) t.is(table.wake().pass(50).find(head('2')).begunFor().at(-1), '2')
    table.pass(pauses.at(-1) ?? 0)
  }
  t.deepEqual(pauses, [1_000, 4_000, 16_000, 64_000, 64_000, 64_000, 64_000])
  table.begun('1').answer('1', throttledBy('pair'))
  t.is(failure(table), 'OFFICIAL_RATE_LIMITED')
})

test('throttling waits at least as long as upstream asks, and a result of another kind breaks the row', (t) => {
  const table = new SendingTable('OFFICIAL').wake().find(head('1'))
  table.tries('1', throttledBy('pair', 9_000))
  t.is(waits(table, '1'), 9_000)
  t.is(table.pass(9_000).hand('1').throttles, 1)
  table.tries('1', UNSENT)
  t.is(table.hand('1').throttles, 0)
})

test('throttling of a number pauses all of it, longer each round, and a sent message ends that', (t) => {
  const table = new SendingTable('OFFICIAL').wake().find(head('1'), head('2'), head('3'))
  table.begun('1').begun('2').answer('1', throttledBy('number')).answer('2', throttledBy('number'))
  t.is(table.state.pausedUntilMs - table.nowMs, 1_000)
  table.settled('1').settled('2').begun('3').answer('3', SENT).settled('3')
  t.is(table.state.pauses, 0)
  const begun = table.all('begin').length
  table.pass(900).find(head('4'))
  t.is(table.all('begin').length, begun)
  table.pass(100)
  t.deepEqual(table.begunFor().slice(begun), ['1', '2', '4'])
  table.begun('4').answer('4', throttledBy('number'))
  t.is(table.state.pausedUntilMs - table.nowMs, 1_000)
  table.settled('4').pass(1_000).begun('4').answer('4', throttledBy('number'))
  t.is(table.state.pausedUntilMs - table.nowMs, 4_000)
})

test('a fault for which upstream asks to wait holds all of the number as long', (t) => {
  const table = new SendingTable('OFFICIAL').wake().find(head('1'), head('2'))
  table.tries('1', { kind: 'unsent', failure: FAULT, afterMs: 20_000 })
  t.is(waits(table, '1'), 20_000)
  t.is(table.state.pausedUntilMs - table.nowMs, 20_000)
  table.begun('2').answer('2', { kind: 'unknown', failure: FAULT, afterMs: 30_000 })
  t.is(table.state.pausedUntilMs - table.nowMs, 30_000)
  const begun = table.all('begin').length
  t.is(table.pass(29_999).all('begin').length, begun)
  t.true(table.pass(1).begunFor().slice(begun).includes('1'))
})

test('a spam limit is not tried again within the hour, by no message of the number', (t) => {
  const table = new SendingTable('OFFICIAL').wake().find(head('1'), head('2'))
  table.tries('1', throttledBy('number', 3_600_000)).tries('2', SENT)
  const begun = table.all('begin').length
  table.pass(3_599_999)
  t.is(table.all('begin').length, begun)
  t.is(table.pass(1).all('begin').length, begun + 1)
})

test('upstream faults are tried ten times with growing pauses, then the message fails with the last', (t) => {
  const table = new SendingTable('OFFICIAL').wake().find(head('1'))
  const pauses: number[] = []
  for (let times = 1; times < 10; times++) {
    table.tries('1', UNSENT)
    pauses.push(waits(table, '1'))
    table.pass(pauses.at(-1) ?? 0)
  }
  t.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  table.begun('1').answer('1', UNSENT)
  t.is(failure(table), FAULT.code)
})

test('without a session tries are not counted, however many', (t) => {
  const table = new SendingTable().wake().find(head('1'))
  for (let times = 0; times < 30; times++) table.tries('1', UNSENT, false).pass(1_000)
  t.is(table.hand('1').faults, 0)
  t.true(table.all('settle').every(({ settlement }) => settlement.kind === 'again'))
})

test('a fault as the session goes does not count: the tenth would be the end', (t) => {
  const table = new SendingTable().wake().find(head('1'))
  for (let times = 1; times < 10; times++) table.tries('1', UNSENT).pass(60_000)
  table.begun('1').say({ type: 'Shut' }).answer('1', UNSENT)
  t.is(table.last('settle').settlement.kind, 'again')
})

test('a refusal fails the message at once', (t) => {
  const refused: SendResult = { kind: 'refused', failure: { ...FAULT, code: 'INVALID_DESTINATION' } }
  t.is(failure(new SendingTable().wake().find(head('1')).begun('1').answer('1', refused)), 'INVALID_DESTINATION')
})

test('in doubt where upstream knows repetitions: the same message again, ten times, the doubt left in the row', (t) => {
  const table = new SendingTable('UNOFFICIAL').wake()
  const found = head('1')
  table.find(found)
  for (let times = 1; times < 10; times++) {
    table.begun('1').answer('1', UNKNOWN)
    t.deepEqual(table.all('settle'), [])
    table.pass(60_000)
  }
  t.deepEqual(new Set(table.all('send').map(({ message }) => message.id)), new Set([found.message.id]))
  table.begun('1').answer('1', UNKNOWN)
  t.is(failure(table), 'DELIVERY_TIMEOUT')
})

test('in doubt where a status has to tell: 20 s are waited, then up to four further tries, no more', (t) => {
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

test('in doubt, a status that named the message meanwhile ends it without a second try', (t) => {
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
  const official = new SendingTable('OFFICIAL').wake().find(head('1', { attempts: 1 }, true), head('2', { attempts: 5 }, true)).pass(19_999)
  t.deepEqual(official.begunFor(), [])
  official.pass(1)
  t.deepEqual(official.begunFor(), ['1', '2'])
  official.begun('1').answer('1', UNKNOWN).begun('2').answer('2', UNKNOWN)
  t.is(official.hand('1').verdict, null)
  t.is(official.hand('2').verdict?.code, 'DELIVERY_TIMEOUT')
  t.deepEqual(new SendingTable('UNOFFICIAL').wake().find(head('1', { attempts: 1 }, true)).begunFor(), ['1'])
})

test('a repetition that is refused fails only once no status told that an earlier try arrived', (t) => {
  const refused = () => new SendingTable('OFFICIAL').wake().find(head('1')).begun('1').answer('1', UNKNOWN).pass(20_000).begun('1').answer('1', { kind: 'refused', failure: FAULT })
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
  const table = new SendingTable().wake().find(head('1')).begun('1').answer('1', UNKNOWN).pass(60_000).begun('1').answer('1', { kind: 'refused', failure: FAULT })
  t.is(failure(table), 'OFFICIAL_ERROR')
})

test('what moved before it was begun is dropped from hand: expired, canceled', (t) => {
  const table = new SendingTable().wake().find(head('1')).begun('1', 'moved')
  t.false(table.holds('1'))
  t.deepEqual(table.all('send'), [])
})

test('media are prepared four at once and hold up nobody else', (t) => {
  const table = new SendingTable().wake().find(...['1', '2', '3', '4', '5'].map((address) => head(address, { outgoing: IMAGE })), head('6'))
  t.is(table.all('prepare').length, 4)
  t.deepEqual(table.begunFor(), ['6'])
  table.say({ type: 'Prepared', attempt: table.all('prepare')[1]?.attempt ?? 0, conversationId: 'conv_2', outcome: media })
  t.deepEqual(table.begunFor(), ['6', '2'])
  t.is(table.last('prepare').message.to.address, '5')
  t.is(table.begun('2').last('send').content, media.content)
})

test('media that cannot be had fail the message: at once, or after three tries when trying may help', (t) => {
  const lost = (isRetryable: boolean) => ({ ok: false, failure: { ...FAULT, code: 'MEDIA_DOWNLOAD_FAILED' }, isRetryable } as const)
  const say = (table: SendingTable, isRetryable: boolean) =>
    table.say({ type: 'Prepared', attempt: table.last('prepare').attempt, conversationId: 'conv_1', outcome: lost(isRetryable) })
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

test('a session that goes lets go of what upstream was not asked, and keeps what it was', (t) => {
  const table = new SendingTable('UNOFFICIAL', { unofficial: { number: { atOnce: 1, everyMs: 1_000 }, pair: { atOnce: 1, everyMs: 1 } } })
  table.wake().find(head('1'), head('2'), head('3', { outgoing: IMAGE })).begun('1')
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

test('what was read for a session that went is not taken in hand', (t) => {
  const table = new SendingTable().wake().say({ type: 'Shut' }).find(head('1'))
  t.false(table.holds('1'))
  table.wake()
  t.is(table.all('readHeads').length, 1)
  t.is(table.pass(50).all('readHeads').length, 2)
})

test('draining stops once what is with upstream is settled', (t) => {
  const table = new SendingTable().wake().find(head('1'), head('2')).begun('1').begun('2').say({ type: 'Drain' })
  table.answer('1', SENT).settled('1').answer('2', UNKNOWN)
  t.deepEqual(table.all('settle').length, 1)
  t.deepEqual(table.last('stop'), { type: 'stop', why: 'drained' })
  t.deepEqual(new SendingTable().say({ type: 'Drain' }).last('stop'), { type: 'stop', why: 'drained' })
})

const idle = (state: SendingState) => state.idleWake === state.wakes

test('with nothing left it says so, of the wake it knew of, and asks when the next is due', (t) => {
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

test('what nobody told of is not waited for: no timer runs once all is known', (t) => {
  const table = new SendingTable().wake().find()
  table.say({ type: 'DueRead', attempt: table.last('readDue').attempt, inMs: null, isKnown: true })
  t.is(table.state.timerMs, null)
})

test('a send that cannot be begun for a reason of its own fails with an honest code, is set aside, and its conversation goes on', (t) => {
  const table = new SendingTable().wake()
  const found = head('1')
  table.find(found).refused('1', 'Begun')
  t.is(failure(table), 'INTERNAL_ERROR')
  t.deepEqual(table.last('noteAside'), { type: 'noteAside', messageId: found.message.id, fault: { reason: '23514', tries: 4 } })
  t.deepEqual(table.all('send'), [])
  table.settled('1')
  t.false(table.holds('1'))
})

test('an answer that cannot be stored for a reason of its own says that the message may arrive', (t) => {
  const table = new SendingTable().wake()
  table.find(head('1')).begun('1').answer('1', SENT).refused('1', 'Settled')
  const { settlement } = table.last('settle')
  t.like(settlement, { kind: 'failed', failure: { code: 'INTERNAL_ERROR', message: 'Upstream took the message, and the service could not store its answer, for a fault of its own; it may arrive' } })
  t.is(table.all('noteAside').length, 1)
  table.refused('1', 'Settled')
  t.is(table.all('noteAside').length, 1)
  table.pass(5_000)
  t.is(table.all('settle').length, 3)
})

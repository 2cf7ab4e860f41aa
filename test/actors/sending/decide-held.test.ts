import test from 'ava'
import { rulesOf } from '../../../actors/sending/rules.ts'
import type { OfficialFacts } from '../../../src/domain/official.ts'
import { failure, FAULT, head, SendingTable, SENT, throttledBy, UNSENT, waits } from './table.ts'

test('a number keeps its pace and so does each recipient', (t) => {
  const options = {
    paces: { UNOFFICIAL: { number: { atOnce: 2, everyMs: 100 }, pair: { atOnce: 1, everyMs: 1_000 } } },
    lookMs: 0,
  }
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

// [message-verbs.pace.5]
test('a number keeps the pace that upstream names, and takes on another one with the next wake', (t) => {
  const official = (perSecond: number | null) =>
    ({ provider: 'OFFICIAL', official: { perSecond } as OfficialFacts }) as const
  t.deepEqual(rulesOf(official(20)).number, { atOnce: 2, everyMs: 50 })
  t.deepEqual(rulesOf(official(1_000)).number, { atOnce: 100, everyMs: 1 })
  t.deepEqual(rulesOf(official(null)).number, rulesOf({ provider: 'OFFICIAL' }).number)
  const table = new SendingTable('OFFICIAL', { lookMs: 0, inFlight: 100 })
  table.say({ type: 'Wake', wakes: 1, rules: { ...rulesOf(official(20)), lookMs: 0, inFlight: 100 } })
  table.find(...Array.from({ length: 40 }, (_, index) => head(`${index}`)))
  t.is(table.all('begin').length, 2)
  table.pass(500)
  t.is(table.all('begin').length, 12)
  table.say({ type: 'Wake', wakes: 2, rules: { ...rulesOf(official(1_000)), lookMs: 0, inFlight: 100 } })
  table.pass(100)
  t.is(table.all('begin').length, 40)
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
    const table = new SendingTable('UNOFFICIAL', { paces: { UNOFFICIAL: pace }, inFlight: 50 }).wake()
    t.is(table.find(...Array.from({ length: 50 }, (_, index) => head(`${index}`))).all('begin').length, 50)
  }
})

// [messages.failures.7] [official.failure-codes.1]
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

// [official.failure-codes.1]
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

test('a fault while the session ends does not count as a try, or the tenth would fail the message', (t) => {
  const table = new SendingTable().wake().find(head('1'))
  for (let times = 1; times < 10; times++) table.tries('1', UNSENT).pass(60_000)
  table.begun('1').say({ type: 'Shut' }).answer('1', UNSENT)
  t.is(table.last('settle').settlement.kind, 'again')
})

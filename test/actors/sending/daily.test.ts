import test from 'ava'
import type { CountOutcome } from '../../../actors/sending/messages.ts'
import { rulesOf } from '../../../actors/sending/rules.ts'
import type { OfficialFacts } from '../../../src/domain/official.ts'
import type { OutgoingContent } from '../../../src/domain/outgoing.ts'
import type { QueuedMessage } from '../../../src/ports/stores/send-queue.ts'
import type { TakenPlace } from '../../../src/ports/stores/reach-store.ts'
import { failure, head, NO_LIMITS, SENT, SendingTable, throttledBy, UNKNOWN, waits } from './table.ts'

const TEMPLATE: OutgoingContent = { mode: 'template', name: 'welcome', language: 'en', components: [], files: [] }
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

function template(address: string, patch: Partial<QueuedMessage> = {}, isInDoubt = false): QueuedMessage {
  return head(address, { outgoing: TEMPLATE, ...patch }, isInDoubt)
}

/** Sending of a number whose account may reach `tier`. */
function limited(tier: string | null = 'TIER_250'): SendingTable {
  const table = new SendingTable('OFFICIAL')
  const official = { accountId: '2000', messagingLimitTier: tier } as OfficialFacts
  const rules = rulesOf({ provider: 'OFFICIAL', official }, { paces: NO_LIMITS, lookMs: 50 })
  return table.say({ type: 'Wake', wakes: 1, rules })
}

function counted(table: SendingTable, address: string, outcome: CountOutcome): SendingTable {
  const { phase, message } = table.hand(address)
  if (!('attempt' in phase)) throw new Error(`${address} waits for nothing`)
  const { conversationId } = message
  return table.say({ type: 'Counted', attempt: phase.attempt, conversationId, outcome })
}

function place(table: SendingTable, address: string): TakenPlace {
  const { id: messageId } = table.hand(address).message
  return { tenantId: 'ten_1', accountId: '2000', messageId, address, at: new Date(table.nowMs) }
}

function taken(table: SendingTable, address: string): SendingTable {
  return counted(table, address, { kind: 'taken', place: place(table, address) })
}

// [message-verbs.pace.1]
test('the limit is asked for templates alone, and only where upstream names one', (t) => {
  const table = limited().find(template('1'), head('2'), template('3', { to: { type: 'GROUP', address: '3' } }))
  t.deepEqual(
    table.all('count').map(({ message, limit }) => [message.to.address, limit]),
    [['1', { accountId: '2000', perDay: 250 }]],
  )
  t.deepEqual(table.begunFor(), ['2', '3'])
  taken(table, '1')
  t.deepEqual(table.begunFor(), ['2', '3', '1'])
  table.tries('1', SENT)
  t.is(table.last('settle').place, null, 'what was sent keeps its place')
  for (const tier of ['TIER_UNLIMITED', 'UNTIERED', 'TIER_OF_GOLD', null]) {
    const free = limited(tier).find(template('1'))
    t.deepEqual([free.all('count').length, free.begunFor()], [0, ['1']])
  }
})

// [message-verbs.pace.7]
test('a message that finds the limit full is held and leaves the hands, so that others go on', (t) => {
  const table = limited().find(template('1'), head('2'))
  counted(table, '1', { kind: 'full', afterMs: HOUR_MS })
  const { id: messageId } = table.hand('1').message
  t.like(table.last('settle'), { settlement: { kind: 'held', messageId, afterMs: HOUR_MS }, place: null })
  table.settled('1')
  t.false(table.holds('1'))
  t.deepEqual(table.begunFor(), ['2'])
})

test('a message waits for its turn of the pace before it is counted, and goes at once then', (t) => {
  const table = new SendingTable('OFFICIAL')
  const official = { accountId: '2000', messagingLimitTier: 'TIER_250', perSecond: 20 } as OfficialFacts
  table.say({ type: 'Wake', wakes: 1, rules: { ...rulesOf({ provider: 'OFFICIAL', official }), lookMs: 0 } })
  table.find(head('1'), head('2'), template('3'))
  t.deepEqual([table.begunFor(), table.all('count').length], [['1', '2'], 0])
  table.pass(50)
  t.is(table.all('count').length, 1)
  taken(table, '3')
  t.deepEqual(table.begunFor(), ['1', '2', '3'])
})

// [message-verbs.pace.6]
test('the place of a message that was not sent is given back, and asked for again before its next try', (t) => {
  const table = limited().find(template('1'))
  taken(table, '1')
  const first = place(table, '1')
  table.begun('1').answer('1', throttledBy('pair'))
  t.like(table.last('settle'), { settlement: { kind: 'again' }, place: first })
  table.settled('1').pass(waits(table, '1'))
  t.is(table.all('count').length, 2)
  taken(table, '1')
  const second = place(table, '1')
  table.begun('1').answer('1', { kind: 'refused', failure: { ...FAILURE } })
  t.like(table.last('settle'), { settlement: { kind: 'failed' }, place: second })
})

test('a place is kept for a message that may have been sent', (t) => {
  const table = limited().find(template('1'))
  taken(table, '1')
  table.begun('1').answer('1', UNKNOWN)
  table.pass(20_000)
  for (let tries = 2; tries <= 5; tries++) {
    if (table.hand('1').phase.at === 'COUNTING') taken(table, '1')
    table.begun('1').answer('1', UNKNOWN)
    if (table.hand('1').phase.at === 'WAITING') table.pass(waits(table, '1'))
  }
  if (table.all('settle').length === 0) table.pass(20_000)
  t.is(failure(table), 'DELIVERY_TIMEOUT')
  t.is(table.last('settle').place, null)
  t.is(table.all('giveBack').length, 0)
})

test('a message in doubt that finds the limit full waits in doubt', (t) => {
  const table = limited()
    .find(template('1', {}, true))
    .pass(20_000)
  counted(table, '1', { kind: 'full', afterMs: 5 * MINUTE_MS })
  t.is(table.all('settle').length, 0)
  t.is(waits(table, '1'), 5 * MINUTE_MS)
  table.pass(5 * MINUTE_MS)
  t.is(table.all('count').length, 2)
})

test('a place is given back when its message is let go of unsent: shut, canceled, or yielding to a single send', (t) => {
  const shut = limited().find(template('1'))
  shut.say({ type: 'Shut' })
  const late = place(shut, '1')
  taken(shut, '1')
  t.deepEqual(
    shut.all('giveBack').map((effect) => effect.place),
    [late],
  )
  t.false(shut.holds('1'))

  const canceled = limited().find(template('1'))
  const gone = place(canceled, '1')
  taken(canceled, '1')
  canceled.begun('1', 'moved')
  t.deepEqual(
    canceled.all('giveBack').map((effect) => effect.place),
    [gone],
  )

  const paused = limited().find(head('2'), template('1', { batch: { id: 'bat_1', perMinute: null, begunMs: null } }))
  paused.begun('2').answer('2', throttledBy('number'))
  const yielded = place(paused, '1')
  taken(paused, '1')
  t.is(paused.hand('1').phase.at, 'WAITING')
  paused.settled('2').pass(100).wake().find(head('1'))
  t.deepEqual(
    paused.all('giveBack').map((effect) => effect.place),
    [yielded],
  )
})

test('a session that ends gives back no place of a message that upstream has', (t) => {
  const table = taken(limited().find(template('1')), '1')
    .begun('1')
    .say({ type: 'Shut' })
  t.deepEqual(table.all('giveBack'), [])
  t.true(table.holds('1'))
})

test('a place that waited for half a minute is taken anew before the message goes', (t) => {
  const table = limited().find(head('2'), template('1'))
  table.begun('2').answer('2', throttledBy('number', MINUTE_MS))
  taken(table, '1')
  table.pass(MINUTE_MS)
  t.is(table.all('count').length, 2)
  t.deepEqual(table.begunFor(), ['2'])
})

test('a limit that cannot be asked is asked again, and a message whose person cannot be counted fails and is noted', (t) => {
  const table = limited().find(template('1'))
  counted(table, '1', { kind: 'failed', fault: null })
  table.pass(waits(table, '1'))
  t.is(table.all('count').length, 2)
  counted(table, '1', { kind: 'failed', fault: { reason: '23514', tries: 4 } })
  t.is(failure(table), 'INTERNAL_ERROR')
  t.is(table.all('noteAside').length, 1)
})

const FAILURE = { code: 'OFFICIAL_ERROR', message: 'no', details: null, upstreamCode: 131026 } as const

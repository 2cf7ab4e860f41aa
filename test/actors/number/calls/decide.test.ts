import test from 'ava'
import type { NumberEffect } from '../../../../actors/number/state.ts'
import { NO_END } from '../stored-number.ts'
import { NumberTable } from '../table.ts'

const AT = new Date(0)
const END = { ...NO_END, direction: 'INBOUND' } as const
const EARLY_ENDS = 1_000
const LIVE_CALLS = 500

const typesOf = (effects: readonly NumberEffect[]) => effects.map(({ type }) => type)

function connected(kind: 'OFFICIAL' | 'UNOFFICIAL', settings = {}): NumberTable {
  const table = new NumberTable(kind)
  table.connect()
  table.say({ type: 'ApplySettings', askId: 1, settings: { ...table.ready.number.settings, ...settings } })
  return table
}

const place = (table: NumberTable, fields: object = {}) =>
  table.say({
    type: 'PlaceCall',
    askId: 7,
    callId: 'call_out',
    to: '551199',
    bizOpaqueCallbackData: null,
    sdp: null,
    ...fields,
  })

/** A call rings at a number with a device. */
const ring = (table: NumberTable, externalCallId = 'ext', from = '+55 (11) 99') =>
  table.hear({ type: 'incomingCall', seq: 3, externalCallId, from, sdp: 'offer' })

/** An event of a change of the platform. */
function change(table: NumberTable, events: readonly object[], position = 1): NumberEffect[] {
  const reading = table.ready.inbox.reading
  const asked = reading === null ? table.say({ type: 'Receive' }) : []
  const attempt = table.ready.inbox.reading ?? 0
  const read = [{ position, receivedAt: AT, fault: null, events: events as never }]
  return [...asked, ...table.say({ type: 'ChangesRead', attempt, changes: read })]
}

test('a call is placed by a number that is connected, and refused by one that is not', (t) => {
  const table = connected('UNOFFICIAL')
  t.deepEqual(place(table), [
    {
      type: 'placeCall',
      askId: 7,
      callId: 'call_out',
      number: table.ready.number,
      to: '551199',
      bizOpaqueCallbackData: null,
      sdp: null,
      media: null,
      record: false,
      trace: undefined,
    },
  ])
  const early = new NumberTable('UNOFFICIAL')
  early.saved()
  t.deepEqual(place(early), [])
  t.like(early.reply(7), {
    outcome: {
      ok: false,
      error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED', message: 'The number is not connected' },
    },
  })
})

test('a call of the official platform needs an offer, or our media host', (t) => {
  const table = connected('OFFICIAL')
  t.deepEqual(place(table), [])
  t.like(table.reply(7), {
    outcome: { error: { code: 'INVALID_SDP', message: 'Send the SDP offer of the call, or media bridge' } },
  })
  t.like(place(table, { sdp: 'offer', record: true })[0], {
    type: 'placeCall',
    sdp: 'offer',
    media: null,
    record: true,
  })
  t.like(place(connected('OFFICIAL'), { media: 'bridge' })[0], { type: 'placeCall', sdp: null, media: 'bridge' })
  t.deepEqual(typesOf(place(connected('OFFICIAL'), { media: 'own' })), [])
})

test('a caller has digits, or the id of upstream that has letters', (t) => {
  t.like(ring(connected('UNOFFICIAL')), [{ type: 'takeCall', callId: 'call_fresh', peerNumber: '551199', seq: 3 }])
  t.like(ring(connected('UNOFFICIAL'), 'ext', 'BR.13491208655302741918'), [{ peerNumber: 'BR.13491208655302741918' }])
  t.like(ring(connected('UNOFFICIAL'), 'ext', '1 2'), [{ peerNumber: '12' }])
  t.like(ring(connected('UNOFFICIAL'), 'ext', '-'), [{ peerNumber: '' }])
})

test('a number that declines calls says why where there is something to say', (t) => {
  const decline = (msgRejectCall: string | null) =>
    ring(connected('UNOFFICIAL', { rejectCall: true, msgRejectCall }))[0]
  t.like(decline('Write to us.'), { rejection: { text: 'Write to us.' } })
  t.like(decline(' '), { rejection: { text: null } })
  t.like(decline(null), { rejection: { text: null } })
  t.like(ring(connected('UNOFFICIAL', { msgRejectCall: 'Write to us.' }))[0], { rejection: null })
})

test('a number that leaves takes no call, and a phone that rings for 500 others does not ring', (t) => {
  const leaving = connected('UNOFFICIAL')
  place(leaving)
  leaving.say({ type: 'Drain' })
  t.deepEqual(ring(leaving), [])
  const table = connected('UNOFFICIAL')
  const calls = new Map(Array.from({ length: LIVE_CALLS }, (_, n) => [`call_${n}` as const, `ext ${n}`]))
  table.state = { ...table.ready, calls }
  t.deepEqual(ring(table), [{ type: 'settle', seq: 3 }])
  t.deepEqual(ring(table, 'ext 7'), [
    { type: 'tellCall', callId: 'call_7', message: { type: 'ProviderRepeated', seq: 3, sdp: 'offer' } },
  ])
})

test('upstream is asked for its calls when one rings or is answered that nobody knows', (t) => {
  const table = connected('UNOFFICIAL')
  const { sessionId } = table.last('openSession')
  t.deepEqual(table.hear({ type: 'callRinging', seq: 1, externalCallId: 'x' }), [
    { type: 'settle', seq: 1 },
    { type: 'listCalls', sessionId },
  ])
  t.like(table.hear({ type: 'callAnswered', seq: 2, externalCallId: 'x', sdp: 'answer' }), [
    { type: 'settle', seq: 2 },
    { type: 'listCalls' },
  ])
  t.deepEqual(table.hear({ type: 'callEnded', seq: 3, externalCallId: 'x', reason: 'hangup' }), [
    { type: 'settle', seq: 3 },
  ])
  const platform = connected('OFFICIAL')
  t.deepEqual(typesOf(change(platform, [{ type: 'callRinging', externalCallId: 'x', at: null }])), ['settle'])
})

test('the end of a call that comes before its offer is told to it at once, and to no later one of that id', (t) => {
  const table = connected('OFFICIAL')
  const ended = { type: 'callEnded', externalCallId: 'ext', reason: 'hangup', at: null, end: END }
  const offer = (callId: string) => ({
    type: 'incomingCall',
    externalCallId: 'ext',
    from: '551199',
    sdp: 'offer',
    fromName: null,
    at: AT,
    callId,
  })
  t.deepEqual(typesOf(change(table, [ended])), ['settle'])
  const made = change(table, [offer('call_in')], 2)
  t.like(
    made.filter(({ type }) => type !== 'readChanges'),
    [
      { type: 'takeCall', callId: 'call_in', at: AT },
      { type: 'tellCall', callId: 'call_in', message: { type: 'ProviderEnded', reason: 'hangup', end: END } },
    ],
  )
  t.is(table.ready.earlyEnds.size, 0)
  table.say({ type: 'CallStopped', callId: 'call_in', isStored: true })
  t.deepEqual(
    typesOf(change(table, [offer('call_again')], 3)).filter((type) => type !== 'readChanges'),
    ['takeCall'],
  )
})

test('ends of outbound calls, and those that a device tells, are not waited with', (t) => {
  const table = connected('OFFICIAL')
  const outbound = { ...END, direction: 'OUTBOUND' as const }
  change(table, [{ type: 'callEnded', externalCallId: 'out', reason: 'hangup', at: null, end: outbound }])
  t.is(table.ready.earlyEnds.size, 0)
  const device = connected('UNOFFICIAL')
  device.hear({ type: 'callEnded', seq: 1, externalCallId: 'x', reason: 'hangup' })
  t.is(device.ready.earlyEnds.size, 0)
})

test('of ends that wait for their offers the oldest is forgotten beyond 1,000', (t) => {
  const table = connected('OFFICIAL')
  const end = (n: number) => ({ type: 'callEnded', externalCallId: `ext ${n}`, reason: 'hangup', at: null, end: END })
  change(
    table,
    Array.from({ length: EARLY_ENDS }, (_, n) => end(n)),
  )
  t.is(table.ready.earlyEnds.size, EARLY_ENDS)
  change(table, [end(EARLY_ENDS), end(EARLY_ENDS + 1)], 2)
  t.is(table.ready.earlyEnds.size, EARLY_ENDS)
  t.deepEqual([...table.ready.earlyEnds.keys()].slice(0, 1), ['ext 2'])
})

test('events wait while upstream names a call, and go to the call that they are of', (t) => {
  const table = connected('UNOFFICIAL')
  place(table)
  t.deepEqual(table.hear({ type: 'callRinging', seq: 1, externalCallId: 'ext' }), [])
  t.deepEqual(table.say({ type: 'CallOffered', callId: 'call_gone', externalCallId: 'ext' }), [])
  t.deepEqual(table.say({ type: 'CallOffered', callId: 'call_out', externalCallId: null }), [])
  t.is(table.ready.parked.length, 1)
  t.deepEqual(table.say({ type: 'CallOffered', callId: 'call_out', externalCallId: 'ext' }), [
    { type: 'tellCall', callId: 'call_out', message: { type: 'ProviderRinging', seq: 1 } },
  ])
  t.deepEqual(table.ready.parked, [])
})

test('the row of a call that could not store its end is closed later, and its events wait until then', (t) => {
  const table = connected('UNOFFICIAL')
  ring(table)
  t.deepEqual(table.say({ type: 'CallStopped', callId: 'call_fresh', isStored: false }), [
    { type: 'startTimer', timer: 'sweep', delayMs: 5_000 },
  ])
  t.deepEqual([...table.ready.unswept], [['ext', false]])
  t.deepEqual(table.hear({ type: 'callEnded', seq: 4, externalCallId: 'ext', reason: 'hangup' }), [])
  place(table)
  t.deepEqual(table.say({ type: 'TimerFired', timer: 'sweep' }), [{ type: 'sweep', except: ['call_out'] }])
  table.say({ type: 'CallOffered', callId: 'call_out', externalCallId: 'other' })
  table.hear({ type: 'incomingCall', seq: 5, externalCallId: 'second', from: '551199', sdp: 'offer' })
  table.say({ type: 'CallStopped', callId: 'call_fresh', isStored: false })
  t.deepEqual(table.say({ type: 'Swept', isDone: true, resumable: [] }), [{ type: 'settle', seq: 4 }])
  t.deepEqual([...table.ready.unswept], [['second', false]], 'the sweep did not look for it')
})

test('a call that ends as it should, or that upstream never named, leaves no row to close', (t) => {
  const table = connected('UNOFFICIAL')
  ring(table)
  t.deepEqual(typesOf(table.say({ type: 'CallStopped', callId: 'call_fresh', isStored: true })), [])
  place(table)
  table.say({ type: 'CallStopped', callId: 'call_out', isStored: false })
  t.is(table.ready.unswept.size, 0)
})

test('a number that leaves keeps the events of calls whose rows are being closed for its next owner', (t) => {
  const table = connected('UNOFFICIAL')
  ring(table)
  place(table)
  table.say({ type: 'CallOffered', callId: 'call_out', externalCallId: 'other' })
  table.say({ type: 'CallStopped', callId: 'call_fresh', isStored: false })
  table.hear({ type: 'callEnded', seq: 4, externalCallId: 'ext', reason: 'hangup' })
  table.say({ type: 'TimerFired', timer: 'sweep' })
  table.say({ type: 'Drain' })
  t.deepEqual(table.say({ type: 'Swept', isDone: true, resumable: [] }), [])
})

test('a resumed call that is over needs no word of upstream any more, and the others do', (t) => {
  const table = connected('UNOFFICIAL')
  table.state = { ...table.ready, unconfirmed: ['call_a', 'call_b'] }
  table.say({ type: 'CallStopped', callId: 'call_a', isStored: true })
  t.deepEqual(table.ready.unconfirmed, ['call_b'])
})

test('what a device tells of a call reaches it in its words', (t) => {
  const table = connected('UNOFFICIAL')
  ring(table)
  const told = (event: Parameters<typeof table.hear>[0]) =>
    table.hear(event).map((effect) => (effect.type === 'tellCall' ? effect.message : effect))
  const externalCallId = 'ext'
  t.deepEqual(told({ type: 'callRinging', seq: 4, externalCallId }), [{ type: 'ProviderRinging', seq: 4 }])
  t.deepEqual(told({ type: 'callAnswered', seq: 5, externalCallId, sdp: 'answer' }), [
    { type: 'ProviderAnswered', seq: 5, sdp: 'answer' },
  ])
  t.deepEqual(told({ type: 'callEnded', seq: 6, externalCallId, reason: 'declined' }), [
    { type: 'ProviderEnded', seq: 6, reason: 'declined' },
  ])
})

test('a number that leaves hears no more of messages and votes', (t) => {
  const table = connected('UNOFFICIAL')
  ring(table)
  table.say({ type: 'Drain' })
  const vote = { externalMessageId: 'poll', messageId: null, from: '551199', fromName: null, options: [], group: null }
  t.deepEqual(table.hear({ type: 'pollVoted', seq: 5, ...vote, at: AT }), [])
  t.deepEqual(
    table.hear({ type: 'messageStatus', seq: 6, externalMessageId: 'm', status: 'READ', at: AT } as never),
    [],
  )
})

import test from 'ava'
import type { CallMessage } from '../../../actors/call/messages.ts'
import { decide } from '../../../actors/call/decide.ts'
import type { CallStatus } from '../../../src/domain/call.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { Table } from './decide-rig.ts'
import {
  accepting,
  inboundAccepted,
  inboundRinging,
  initiated,
  NOW,
  offering,
  outboundAccepted,
  outboundRinging,
} from './decide-rig.ts'

const END = (reason: 'hangup' | 'declined' | 'timeout' | 'canceled' | 'failed'): CallMessage => ({
  type: 'ProviderEnded',
  seq: 9,
  reason,
})
const ASK = (type: 'Reject' | 'Terminate'): CallMessage => ({ type, askId: 7 })
const TIMER = (timer: 'unringing' | 'ring' | 'media'): CallMessage => ({ type: 'TimerFired', timer })
const LOST: CallMessage = { type: 'Media', event: { type: 'lost', callId: 'call_1', reason: 'ice' } }
const HANGUP: CallMessage = { type: 'Media', event: { type: 'hangup', callId: 'call_1', reason: null } }

interface Row {
  readonly at: string
  readonly begin: () => Table
  readonly when: CallMessage
  readonly to: CallStatus
  readonly event: string | null
  readonly errorCode?: string
  /** The request that the provider gets. */
  readonly asks?: 'reject' | 'terminate'
}

const row = (
  at: string,
  begin: () => Table,
  when: CallMessage,
  to: CallStatus,
  event: string | null,
  more: Partial<Row> = {},
): Row => ({ at, begin, when, to, event, ...more })

/**
 * The table of call states, with every trigger in every state in which it can arrive:
 * [calls.states.1] [calls.states.2] [calls.states.3] [calls.states.4] [calls.states.5]
 * [calls.states.6] [calls.states.7] [calls.states.8]
 */
const ROWS: readonly Row[] = [
  row('INITIATED', initiated, { type: 'ProviderRinging', seq: 9 }, 'RINGING', null),
  row('INITIATED', initiated, { type: 'ProviderAnswered', seq: 9, sdp: 's' }, 'ACCEPTED', 'call.connected'),
  row(
    'outbound RINGING',
    outboundRinging,
    { type: 'ProviderAnswered', seq: 9, sdp: 's' },
    'ACCEPTED',
    'call.connected',
  ),
  row('INITIATED', initiated, END('declined'), 'REJECTED', 'call.ended'),
  row('outbound RINGING', outboundRinging, END('declined'), 'REJECTED', 'call.ended'),
  row('outbound RINGING', outboundRinging, END('hangup'), 'REJECTED', 'call.ended'),
  row('outbound RINGING', outboundRinging, END('timeout'), 'MISSED', 'call.ended'),
  row('outbound RINGING', outboundRinging, END('canceled'), 'MISSED', 'call.ended'),
  row('outbound RINGING', outboundRinging, END('failed'), 'FAILED', 'call.ended', { errorCode: 'PROVIDER_FAILED' }),
  row('outbound RINGING', outboundRinging, TIMER('ring'), 'MISSED', 'call.ended', { asks: 'terminate' }),
  row('INITIATED', initiated, TIMER('unringing'), 'FAILED', 'call.ended', {
    errorCode: 'NO_RINGING',
    asks: 'terminate',
  }),
  row('INITIATED', initiated, ASK('Terminate'), 'MISSED', 'call.ended', { asks: 'terminate' }),
  row('outbound RINGING', outboundRinging, ASK('Terminate'), 'MISSED', 'call.ended', { asks: 'terminate' }),
  row('outbound RINGING', outboundRinging, ASK('Reject'), 'REJECTED', 'call.ended', { asks: 'terminate' }),
  row('outbound RINGING', outboundRinging, LOST, 'FAILED', 'call.ended', {
    errorCode: 'MEDIA_LOST',
    asks: 'terminate',
  }),
  row('OFFERING', offering, ASK('Terminate'), 'MISSED', 'call.ended'),
  row('inbound RINGING', inboundRinging, ASK('Reject'), 'REJECTED', 'call.ended', { asks: 'reject' }),
  row('inbound RINGING', inboundRinging, ASK('Terminate'), 'REJECTED', 'call.ended', { asks: 'reject' }),
  row('inbound RINGING', inboundRinging, HANGUP, 'REJECTED', 'call.ended', { asks: 'reject' }),
  row('inbound RINGING', inboundRinging, END('declined'), 'REJECTED', 'call.ended'),
  row('inbound RINGING', inboundRinging, END('canceled'), 'MISSED', 'call.missed'),
  row('inbound RINGING', inboundRinging, END('hangup'), 'MISSED', 'call.missed'),
  row('inbound RINGING', inboundRinging, END('timeout'), 'MISSED', 'call.missed'),
  row('inbound RINGING', inboundRinging, END('failed'), 'FAILED', 'call.ended', { errorCode: 'PROVIDER_FAILED' }),
  row('inbound RINGING', inboundRinging, TIMER('ring'), 'MISSED', 'call.missed', { asks: 'reject' }),
  row('ACCEPTING media', () => accepting('media'), LOST, 'FAILED', 'call.ended', {
    errorCode: 'MEDIA_LOST',
    asks: 'reject',
  }),
  row('ACCEPTING media', () => accepting('media'), ASK('Terminate'), 'REJECTED', 'call.ended', { asks: 'reject' }),
  row('ACCEPTING provider', () => accepting('provider'), ASK('Reject'), 'REJECTED', 'call.ended', {
    asks: 'terminate',
  }),
  row('ACCEPTING provider', () => accepting('provider'), END('canceled'), 'MISSED', 'call.missed'),
  row('ACCEPTING provider', () => accepting('provider'), LOST, 'FAILED', 'call.ended', {
    errorCode: 'MEDIA_LOST',
    asks: 'terminate',
  }),
  row('outbound ACCEPTED', outboundAccepted, END('hangup'), 'COMPLETED', 'call.ended'),
  row('inbound ACCEPTED', inboundAccepted, END('hangup'), 'COMPLETED', 'call.ended'),
  row('ACCEPTED', outboundAccepted, ASK('Terminate'), 'COMPLETED', 'call.ended', { asks: 'terminate' }),
  row('ACCEPTED', outboundAccepted, HANGUP, 'COMPLETED', 'call.ended', { asks: 'terminate' }),
  row('ACCEPTED', outboundAccepted, END('failed'), 'FAILED', 'call.ended', { errorCode: 'PROVIDER_FAILED' }),
  row('ACCEPTED', outboundAccepted, LOST, 'FAILED', 'call.ended', { errorCode: 'MEDIA_LOST', asks: 'terminate' }),
  row('ACCEPTED', outboundAccepted, TIMER('media'), 'FAILED', 'call.ended', {
    errorCode: 'MEDIA_TIMEOUT',
    asks: 'terminate',
  }),
  row('ACCEPTED', outboundAccepted, { type: 'Abandon', reason: 'NODE_LOST' }, 'FAILED', 'call.ended', {
    errorCode: 'NODE_LOST',
    asks: 'terminate',
  }),
  row('INITIATED', initiated, { type: 'Abandon', reason: 'PROVIDER_FAILED' }, 'FAILED', 'call.ended', {
    errorCode: 'PROVIDER_FAILED',
    asks: 'terminate',
  }),
  row('inbound RINGING', inboundRinging, { type: 'Crashed' }, 'FAILED', 'call.ended', {
    errorCode: 'INTERNAL_ERROR',
    asks: 'reject',
  }),
]

for (const [index, { at, begin, when, to, event, errorCode, asks }] of ROWS.entries()) {
  const what =
    'reason' in when ? `${when.type} ${when.reason}` : 'timer' in when ? `${when.type} ${when.timer}` : when.type
  test(`${index + 1}: ${at}, ${what}: ${to}${event ? ` with ${event}` : ' without an event'}`, (t) => {
    const table = begin().forget()
    const wasAnswered = table.state.phase.at === 'ACCEPTED'
    table.nowMs = NOW + 42_000
    table.send(when)
    const { move } = table.last('move')
    t.is(move.to, to)
    t.deepEqual(
      move.events.map((made) => made.event),
      event ? [event] : [],
    )
    t.is(move.patch.errorCode ?? undefined, errorCode)
    t.deepEqual(
      table.effects.filter((made) => made.type === 'reject' || made.type === 'terminate').map((made) => made.type),
      asks ? [asks] : [],
    )
    t.deepEqual(
      [table.all('settle'), table.all('mediaClose'), table.all('mediaStatus'), table.replies].flat(),
      [],
      'nothing is announced before the store',
    )
    table.store()
    if (to === 'RINGING' || to === 'ACCEPTED') return t.is(table.last('mediaStatus').status, to)
    const seconds = wasAnswered ? 42 : null
    t.is(move.patch.durationSeconds, seconds)
    t.is(move.events[0]?.data.duration, seconds ?? undefined)
    t.is(table.last('mediaClose').status, to)
    t.deepEqual(table.last('stop'), { type: 'stop', isStored: true })
    if ('seq' in when) t.is(table.last('settle').seq, when.seq)
    if ('askId' in when) t.deepEqual(table.replyTo(7), succeed({ id: 'call_1', status: to }))
    return t.is(table.state.phase.at, 'ENDED')
  })
}

const ENDED = () => {
  const table = outboundAccepted()
  table.send({ type: 'Terminate', askId: null })
  table.store()
  return table
}

/** Outcomes and events that arrive too late, or that belong to an earlier attempt. */
const STALE: readonly (readonly [string, () => Table, CallMessage])[] = [
  ['an older store', initiated, { type: 'Stored', attempt: 1, outcome: { kind: 'applied' } }],
  ['an older media offer', offering, { type: 'MediaOffered', attempt: 1, outcome: succeed({ sdp: 's' }) }],
  ['a media offer after the end', ENDED, { type: 'MediaOffered', attempt: 1, outcome: succeed({ sdp: 's' }) }],
  [
    'a refused offer of an older attempt',
    initiated,
    { type: 'Offered', attempt: 1, outcome: fail(refuse('DEVICE_NETWORK_ERROR', 'x')) },
  ],
  [
    'a media answer of an older attempt',
    () => accepting('provider'),
    { type: 'MediaAnswered', attempt: 1, outcome: succeed({ sdp: 's' }) },
  ],
  [
    'a media answer while ringing',
    inboundRinging,
    { type: 'MediaAnswered', attempt: 1, outcome: succeed({ sdp: 's' }) },
  ],
  [
    'an accept of an older attempt',
    () => accepting('media'),
    { type: 'AcceptedUpstream', attempt: 1, outcome: succeed(null) },
  ],
  [
    'an accept after the end',
    ENDED,
    { type: 'AcceptedUpstream', attempt: 1, outcome: fail(refuse('DEVICE_NETWORK_ERROR', 'x')) },
  ],
  [
    'a refused leg of an older attempt',
    outboundAccepted,
    { type: 'MediaConnected', attempt: 1, outcome: fail(refuse('MEDIA_UNAVAILABLE', 'x')) },
  ],
  ['the ring timer after the answer', outboundAccepted, TIMER('ring')],
  ['the unringing timer after ringing', outboundRinging, TIMER('unringing')],
  ['the media timer before the answer', outboundRinging, TIMER('media')],
  ['the ring timer while accepting', () => accepting('provider'), TIMER('ring')],
  ['lost media after the end', ENDED, LOST],
  ['a hang-up of a socket after the end', ENDED, HANGUP],
  ['abandonment after the end', ENDED, { type: 'Abandon', reason: 'NODE_LOST' }],
]

for (const [what, begin, message] of STALE) {
  test(`${what} is dropped`, (t) => {
    const table = begin().forget()
    const before = table.state
    table.send(message)
    t.deepEqual(table.state, before)
    t.deepEqual([table.effects, table.replies], [[], []])
  })
}

for (const message of [
  { type: 'ProviderRinging', seq: 9 },
  { type: 'ProviderAnswered', seq: 9, sdp: 's' },
  END('hangup'),
] as const) {
  test(`${message.type} after the end is only settled`, (t) => {
    const table = ENDED().forget()
    table.send(message)
    t.deepEqual(table.effects, [{ type: 'settle', seq: 9 }])
  })
}

test('an answer of the peer that no audio can come of ends the call, and the call says why', (t) => {
  const table = outboundRinging()
  table.send({ type: 'ProviderAnswered', seq: 2, sdp: 's' })
  table.store()
  table.send({
    type: 'MediaConnected',
    attempt: table.last('mediaConnect').attempt,
    outcome: fail(refuse('INVALID_SDP', 'The answer offers no Opus')),
  })
  t.like(table.last('move').move, {
    to: 'FAILED',
    patch: { errorCode: 'MEDIA_LOST', errorMessage: 'The audio leg of the call was lost: The answer offers no Opus' },
  })
  t.is(table.all('terminate').length, 1)
})

for (const [reason, errorMessage] of [
  ['HANDSHAKE_REFUSED', 'The audio leg of the call was lost: The peer refused the encrypted connection'],
  [
    'HANDSHAKE_TIMEOUT',
    'The audio leg of the call was lost: The peer did not finish the encrypted connection within 12 s',
  ],
  ['HOST_GONE', 'The audio leg of the call was lost'],
] as const) {
  test(`a leg that is lost by ${reason} ends the call, which says what there is to say of it`, (t) => {
    const table = outboundRinging()
    table.send({ type: 'ProviderAnswered', seq: 2, sdp: 's' })
    table.store()
    table.send({ type: 'Media', event: { type: 'lost', callId: 'call_1', reason } })
    t.like(table.last('move').move, { to: 'FAILED', patch: { errorCode: 'MEDIA_LOST', errorMessage } })
  })
}

test('media that flows keeps the media timer from ending the call, also when it flowed early', (t) => {
  const table = outboundRinging()
  table.send({ type: 'Media', event: { type: 'flowing', callId: 'call_1' } })
  table.send({ type: 'ProviderAnswered', seq: 2, sdp: 's' })
  table.store()
  table.forget().send(TIMER('media'))
  t.deepEqual(table.effects, [])
})

test('messages that arrive during a write wait, in order, and are decided on the state after it', (t) => {
  const table = inboundAccepted().forget()
  table.send({ type: 'Terminate', askId: 11 })
  table.send({ type: 'Terminate', askId: 12 })
  table.send({ type: 'Accept', askId: 13, sdp: null })
  table.send(END('hangup'))
  t.is(table.all('move').length, 1)
  t.deepEqual(table.replies, [])
  table.store()
  t.deepEqual(
    table.replies.map((reply) => reply.askId),
    [11, 12, 13],
  )
  t.deepEqual(table.replyTo(12), succeed({ id: 'call_1', status: 'COMPLETED' }))
  t.like(table.replyTo(13), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
  t.is(table.last('settle').seq, 9)
})

test('an offer the provider takes while the call is being ended is hung up', (t) => {
  const table = offering()
  const { attempt } = table.last('offer')
  table.forget().send({ type: 'Terminate', askId: 2 })
  table.send({ type: 'Offered', attempt, outcome: succeed({ externalCallId: 'late' }) })
  t.deepEqual(table.all('terminate'), [])
  table.store()
  t.deepEqual(table.all('terminate'), [{ type: 'terminate', externalCallId: 'late' }])
})

test('accepting twice is one accept with two answers', (t) => {
  const table = accepting('media').forget()
  table.send({ type: 'Accept', askId: 2, sdp: null })
  t.deepEqual(table.effects, [])
  t.deepEqual(table.state.phase.at === 'ACCEPTING' && table.state.phase.askers, [1, 2])
})

test('those who wait for an accept hear CALL_INVALID_STATE when the caller gives up first', (t) => {
  const table = accepting('provider').forget()
  table.send(END('canceled'))
  table.store()
  t.like(table.replyTo(1), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
})

test('accepting an outbound call is CALL_INVALID_STATE, and so is rejecting an answered one', (t) => {
  for (const [table, type] of [
    [outboundRinging(), 'Accept'],
    [outboundAccepted(), 'Accept'],
    [outboundAccepted(), 'Reject'],
  ] as const) {
    table.send({ type, askId: 5, sdp: null })
    t.like(table.replyTo(5), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
  }
})

test('a fenced write stops the call without another, settling nothing, and its askers hear NOT_OWNER', (t) => {
  const table = inboundAccepted().forget()
  table.send(END('hangup'))
  table.send({ type: 'Terminate', askId: 3 })
  table.send({ type: 'Stored', attempt: table.state.write?.attempt ?? 0, outcome: { kind: 'fenced' } })
  t.like(table.replyTo(3), { ok: false, error: { code: 'NOT_OWNER' } })
  t.is(table.all('settle').length, 0)
  t.is(table.all('move').length, 1)
  t.is(table.all('stop').length, 1)
})

// [calls.play.3]
test('a file that fails is stored as failed, and the call that it was to end goes on', (t) => {
  const file = { mediaUrl: 'http://files/a', hangupAfterPlay: true }
  const table = outboundAccepted()
  table.send({ type: 'PlayQueued', askId: 6, playbackId: 'play_1', ...file, outcome: succeed(null) })
  table.store()
  table.forget()
  const failed = { status: 'FAILED', error: 'MEDIA_DOWNLOAD_FAILED' } as const
  table.send({ type: 'Media', event: { type: 'playback', callId: 'call_1', playbackId: 'play_1', ...file, ...failed } })
  t.deepEqual(table.last('savePlayback').playback, [{ id: 'play_1', ...file, ...failed }])
  table.store()
  t.deepEqual(
    table.effects.filter(({ type }) => type !== 'savePlayback'),
    [],
    'neither the peer nor the provider is told',
  )
  t.is(table.state.phase.at, 'ACCEPTED')
})

test('a crash while a write is in flight answers who waited for it and ends the call', (t) => {
  const table = inboundRinging().forget()
  table.send({ type: 'Reject', askId: 4 })
  table.send({ type: 'Crashed' })
  t.like(table.replyTo(4), { ok: false, error: { code: 'INTERNAL' } })
  t.is(table.last('move').move.to, 'FAILED')
  table.store()
  t.deepEqual(table.state.phase, { at: 'ENDED', status: 'FAILED' })
})

test('a decision does not change the state and message that it gets', (t) => {
  const table = inboundRinging()
  const before = structuredClone(table.state)
  decide(table.state, { type: 'Terminate', askId: 1 }, NOW)
  t.deepEqual(table.state, before)
})

import test from 'ava'
import type { CallMessage } from '../../../actors/call/messages.ts'
import type { Call, CallStatus } from '../../../src/domain/call.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { StoreAway } from '../../../src/domain/store-away.ts'
import type { OfficialCallEnd } from '../../../src/ports/official/call-events.ts'
import { factsOf, NOW, Table } from './decide-rig.ts'

const START = new Date(NOW - 30_000)
const END = new Date(NOW - 9_000)

function official(direction: 'INBOUND' | 'OUTBOUND'): Table {
  const table = new Table(direction)
  table.state = { ...table.state, facts: { ...factsOf(direction), provider: 'OFFICIAL' } }
  return table
}

function initiated(): Table {
  const table = official('OUTBOUND')
  table.send({ type: 'StartOutbound', askId: 1, sdp: 'offer' })
  table.store()
  table.send({ type: 'Offered', attempt: table.last('offer').attempt, outcome: succeed({ externalCallId: 'ext' }) })
  table.store()
  return table
}

function ringing(): Table {
  const table = initiated()
  table.send({ type: 'ProviderRinging', seq: -1 })
  table.store()
  return table
}

function accepted(): Table {
  const table = ringing()
  table.send({ type: 'ProviderAnswered', seq: -2, sdp: null, at: START })
  table.store()
  return table
}

function incoming(): Table {
  const table = official('INBOUND')
  table.send({ type: 'StartInbound', seq: -1, externalCallId: 'ext', sdp: 'offer', rejection: null })
  table.store()
  return table
}

function accepting(): Table {
  const table = incoming()
  table.send({ type: 'Accept', askId: 1, sdp: 'answer' })
  return table
}

const end = (patch: Partial<OfficialCallEnd> = {}): OfficialCallEnd => ({
  direction: null,
  isAnswered: false,
  startedAt: null,
  endedAt: END,
  durationSeconds: null,
  bizOpaqueCallbackData: null,
  failure: null,
  ...patch,
})
const ended = (
  reason: 'hangup' | 'declined' | 'timeout' | 'canceled' | 'failed',
  patch: Partial<OfficialCallEnd> = {},
): CallMessage => ({ type: 'ProviderEnded', seq: -9, reason, end: end(patch) })
const TALKED = { isAnswered: true, startedAt: START, durationSeconds: 20 } as const
const FAILURE = { code: 'OFFICIAL_ERROR', message: '(#138020) x', retryable: false } as const

interface Row {
  readonly from: string
  readonly begin: () => Table
  readonly when: CallMessage
  readonly what: string
  readonly to: CallStatus
  readonly events: readonly string[]
  readonly seconds?: number
  readonly errorCode?: string
  readonly asks?: 'reject' | 'terminate'
}

const row = (
  from: string,
  begin: () => Table,
  what: string,
  when: CallMessage,
  to: CallStatus,
  events: readonly string[],
  more: Partial<Row> = {},
): Row => ({ from, begin, what, when, to, events, ...more })

const BOTH = ['call.connected', 'call.ended']

/**
 * The table of call states, as the upstream's events lead through it:
 * [calls.states.1] [calls.states.2] [calls.states.3] [calls.states.4] [calls.states.5]
 * [calls.states.6] [calls.states.7] [calls.states.8]
 */
const ROWS: readonly Row[] = [
  row('INITIATED', initiated, 'ringing', { type: 'ProviderRinging', seq: -9 }, 'RINGING', []),
  row('INITIATED', initiated, 'accepted', { type: 'ProviderAnswered', seq: -9, sdp: null, at: START }, 'ACCEPTED', [
    'call.connected',
  ]),
  row('RINGING', ringing, 'accepted', { type: 'ProviderAnswered', seq: -9, sdp: null, at: START }, 'ACCEPTED', [
    'call.connected',
  ]),
  row('INITIATED', initiated, 'end of a conversation', ended('hangup', TALKED), 'COMPLETED', BOTH, { seconds: 20 }),
  row('RINGING', ringing, 'end of a conversation', ended('hangup', TALKED), 'COMPLETED', BOTH, { seconds: 20 }),
  row('RINGING', ringing, 'failed conversation', ended('failed', { ...TALKED, failure: FAILURE }), 'FAILED', BOTH, {
    seconds: 20,
    errorCode: 'OFFICIAL_ERROR',
  }),
  row('INITIATED', initiated, 'nobody answered', ended('timeout'), 'MISSED', ['call.ended']),
  row('RINGING', ringing, 'declined', ended('declined'), 'REJECTED', ['call.ended']),
  row('INITIATED', initiated, 'failure', ended('failed', { failure: FAILURE }), 'FAILED', ['call.ended'], {
    errorCode: 'OFFICIAL_ERROR',
  }),
  row('RINGING', ringing, 'Terminate', { type: 'Terminate', askId: 7 }, 'MISSED', ['call.ended'], {
    asks: 'terminate',
  }),
  row('INITIATED', initiated, 'late net', { type: 'TimerFired', timer: 'ring' }, 'MISSED', ['call.ended'], {
    asks: 'terminate',
  }),
  row('ACCEPTED', accepted, 'end of a conversation', ended('hangup', TALKED), 'COMPLETED', ['call.ended'], {
    seconds: 20,
  }),
  row('ACCEPTED', accepted, 'end without times', ended('timeout'), 'COMPLETED', ['call.ended'], { seconds: 21 }),
  row('ACCEPTED', accepted, 'failure', ended('failed', { failure: FAILURE }), 'FAILED', ['call.ended'], {
    seconds: 21,
    errorCode: 'OFFICIAL_ERROR',
  }),
  row('INCOMING', incoming, 'caller gave up', ended('canceled'), 'MISSED', ['call.missed']),
  row('INCOMING', incoming, 'nobody answered', ended('timeout'), 'MISSED', ['call.missed']),
  row('INCOMING', incoming, 'Reject', { type: 'Reject', askId: 7 }, 'REJECTED', ['call.ended'], { asks: 'reject' }),
  row('INCOMING', incoming, 'conversation we did not hear of', ended('hangup', TALKED), 'COMPLETED', BOTH, {
    seconds: 20,
  }),
  row('ACCEPTING', accepting, 'caller gave up', ended('canceled'), 'MISSED', ['call.missed']),
  row('ACCEPTING', accepting, 'end of a conversation', ended('hangup', TALKED), 'COMPLETED', BOTH, { seconds: 20 }),
  row('ACCEPTING', accepting, 'Terminate', { type: 'Terminate', askId: 7 }, 'REJECTED', ['call.ended'], {
    asks: 'terminate',
  }),
  row('INCOMING', incoming, 'crash of the actor', { type: 'Crashed' }, 'FAILED', ['call.ended'], {
    errorCode: 'INTERNAL_ERROR',
    asks: 'reject',
  }),
]

for (const { from, begin, what, when, to, events, seconds, errorCode, asks } of ROWS) {
  test(`OFFICIAL ${from}, ${what}: ${to}${events.length > 0 ? ` with ${events.join(' and ')}` : ''}`, (t) => {
    const table = begin().forget()
    table.send(when)
    const { move } = table.last('move')
    t.is(move.to, to)
    t.deepEqual(
      move.events.map(({ event }) => event),
      [...events],
    )
    t.is(move.patch.durationSeconds ?? undefined, seconds)
    t.is(move.events.at(-1)?.data.duration, to === 'ACCEPTED' ? undefined : seconds)
    t.is(move.patch.errorCode ?? undefined, errorCode)
    if ('end' in when) t.deepEqual(move.patch.endedAt, END)
    if (events === BOTH) {
      t.deepEqual(move.patch.connectedAt, START)
      t.like(move.events[0]?.data, {
        status: 'ACCEPTED',
        connectedAt: START.toISOString(),
        endedAt: null,
        durationSeconds: null,
        errorCode: null,
      })
    }
    t.deepEqual(
      table.effects.filter(({ type }) => type === 'reject' || type === 'terminate').map(({ type }) => type),
      asks ? [asks] : [],
    )
    t.deepEqual(table.all('settle'), [], 'nothing is settled before the store')
    table.store()
    if ('seq' in when) t.deepEqual(table.all('settle'), [{ type: 'settle', seq: -9 }])
    t.deepEqual(
      table.effects.filter(({ type }) => type.startsWith('media')),
      [],
    )
  })
}

test("the tenant's offer goes to the provider and into the row, with no media effect and no timer but the late net", (t) => {
  const table = initiated()
  t.like(table.last('insert').call, { sdpOffer: 'offer', sdpAnswer: null, status: 'INITIATED' })
  t.is(table.last('offer').sdp, 'offer')
  t.deepEqual(table.all('startTimer'), [{ type: 'startTimer', timer: 'ring', delayMs: 60_000 }])
  t.deepEqual(
    accepted().effects.filter(({ type }) => type.startsWith('media')),
    [],
  )
})

test('the answer SDP is stored wherever the call stands, once, and moves nothing', (t) => {
  for (const [begin, status] of [
    [initiated, 'INITIATED'],
    [ringing, 'RINGING'],
    [accepted, 'ACCEPTED'],
  ] as const) {
    const table = begin().forget()
    table.send({ type: 'ProviderSdp', seq: -5, sdp: 'answer' })
    t.like(table.last('move').move, { from: [status], to: status, patch: { sdpAnswer: 'answer' }, events: [] })
    table.store()
    table.send({ type: 'ProviderSdp', seq: -6, sdp: 'answer' })
    t.is(table.all('move').length, 1)
    t.deepEqual(
      table.all('settle').map(({ seq }) => seq),
      [-5, -6],
    )
  }
})

test('events after the end of a call are only settled', (t) => {
  const late: CallMessage[] = [
    { type: 'ProviderAnswered', seq: -9, sdp: null, at: START },
    { type: 'ProviderSdp', seq: -9, sdp: 's' },
    { type: 'ProviderRinging', seq: -9 },
    ended('declined'),
  ]
  for (const message of late) {
    const table = ringing()
    table.send(ended('timeout'))
    table.store()
    table.forget().send(message)
    t.deepEqual(table.effects, [{ type: 'settle', seq: -9 }])
  }
})

test('an accept is stored as ACCEPTED with its answer; when it is refused, the call keeps ringing with its late timer', (t) => {
  const table = accepting()
  t.is(table.last('accept').sdp, 'answer')
  table.send({ type: 'AcceptedUpstream', attempt: table.last('accept').attempt, outcome: succeed(null) })
  t.like(table.last('move').move, { to: 'ACCEPTED', patch: { sdpAnswer: 'answer', connectedAt: new Date(NOW) } })
  const refused = accepting().forget()
  refused.send({
    type: 'AcceptedUpstream',
    attempt: refused.state.attempts,
    outcome: fail(refuse('OFFICIAL_REQUEST_REFUSED', 'no')),
  })
  t.is(refused.state.phase.at, 'INCOMING')
  t.like(refused.replyTo(1), { ok: false, error: { code: 'OFFICIAL_REQUEST_REFUSED' } })
  t.is(refused.last('startTimer').timer, 'ring')
})

test('a pre-accept that is answered while the accept is out is stored and answered too', (t) => {
  const table = incoming()
  table.send({ type: 'PreAccept', askId: 2, sdp: 'answer' })
  table.send({ type: 'Accept', askId: 3, sdp: 'answer' })
  table.send({ type: 'PreAccepted', askId: 2, sdp: 'answer', outcome: succeed(null) })
  t.is(table.replyTo(2), undefined)
  table.store()
  t.deepEqual(table.replyTo(2), succeed({ id: 'call_1', status: 'RINGING' }))
  table.send({ type: 'AcceptedUpstream', attempt: table.last('accept').attempt, outcome: succeed(null) })
  table.store()
  t.deepEqual(table.replyTo(3), succeed({ id: 'call_1', status: 'ACCEPTED' }))
})

test('only a ringing inbound OFFICIAL call can be pre-accepted', (t) => {
  const ours = new Table('INBOUND')
  ours.send({ type: 'StartInbound', seq: 1, externalCallId: 'ext', sdp: 'offer', rejection: null })
  ours.store()
  for (const [table, code] of [
    [ringing(), 'CALL_INVALID_STATE'],
    [accepted(), 'CALL_INVALID_STATE'],
    [ours, 'FEATURE_NOT_SUPPORTED'],
  ] as const) {
    table.send({ type: 'PreAccept', askId: 5, sdp: 's' })
    t.like(table.replyTo(5), { ok: false, error: { code } })
  }
})

test('a call of a stopping node is left to the next owner without a write, unless the upstream never named it', (t) => {
  for (const begin of [initiated, ringing, accepted, incoming]) {
    const table = begin().forget()
    table.send({ type: 'Abandon', reason: 'NODE_LOST' })
    t.deepEqual(table.effects, [{ type: 'cancelTimers' }, { type: 'stop', isStored: true }])
  }
  const asked = accepting().forget()
  asked.send({ type: 'Abandon', reason: 'NODE_LOST' })
  t.like(asked.replyTo(1), { ok: false, error: { code: 'NOT_OWNER' } })
  const unnamed = official('OUTBOUND')
  unnamed.send({ type: 'StartOutbound', askId: 1, sdp: 'offer' })
  unnamed.store()
  unnamed.send({ type: 'Abandon', reason: 'NODE_LOST' })
  t.like(unnamed.last('move').move, { to: 'FAILED', patch: { errorCode: 'NODE_LOST' } })
})

test('a move the store does not take leaves the call to be taken up again, and its event unsettled', (t) => {
  const table = initiated().forget()
  table.send({ type: 'ProviderAnswered', seq: -9, sdp: null, at: START })
  table.send({
    type: 'Stored',
    attempt: table.state.attempts,
    outcome: { kind: 'failed', refusal: refuse('INTERNAL', 'Internal error') },
  })
  t.deepEqual(table.last('stop'), { type: 'stop', isStored: false })
  t.deepEqual(
    table.effects.filter(({ type }) => type === 'settle' || type === 'terminate'),
    [],
  )
})

test('starting a call whose row cannot be stored is answered with the reason, and the upstream is not asked', (t) => {
  for (const table of [official('OUTBOUND'), new Table('OUTBOUND')]) {
    table.send({ type: 'StartOutbound', askId: 1, sdp: 'offer' })
    table.send({
      type: 'Stored',
      attempt: table.state.attempts,
      outcome: { kind: 'failed', refusal: new StoreAway('gone').refusal },
    })
    t.like(table.replyTo(1), { ok: false, error: { code: 'UNAVAILABLE' } })
    t.deepEqual(
      table.effects.filter(({ type }) => type === 'offer' || type === 'mediaOffer'),
      [],
    )
  }
})

/** The row of a call that the platform took. */
function stored(direction: 'INBOUND' | 'OUTBOUND', patch: Partial<Call>): Call {
  const facts = factsOf(direction)
  return {
    ...facts,
    provider: 'OFFICIAL',
    externalCallId: 'ext',
    status: 'INITIATED',
    connectedAt: null,
    endedAt: null,
    durationSeconds: null,
    errorCode: null,
    errorMessage: null,
    media: null,
    sdpOffer: 'o',
    sdpAnswer: 'a',
    playback: [],
    mediaHost: null,
    recording: null,
    updatedAt: facts.createdAt,
    ...patch,
  }
}

test('a call is taken up from its row where it stood', (t) => {
  const phase = (direction: 'INBOUND' | 'OUTBOUND', patch: Partial<Call>) => {
    const table = official(direction)
    table.send({ type: 'Resume', call: stored(direction, patch) })
    return { table, at: table.state.phase.at, timers: table.all('startTimer').map(({ timer }) => timer) }
  }
  t.like(phase('OUTBOUND', {}), { at: 'INITIATED', timers: ['ring'] })
  t.like(phase('OUTBOUND', { status: 'RINGING' }), { at: 'RINGING', timers: ['ring'] })
  t.like(phase('INBOUND', { status: 'RINGING' }), { at: 'INCOMING', timers: ['ring'] })
  const answered = phase('OUTBOUND', { status: 'ACCEPTED', connectedAt: START })
  t.like(answered, { at: 'ACCEPTED', timers: ['silence'] })
  answered.table.send(ended('hangup'))
  t.is(answered.table.last('move').move.patch.durationSeconds, 21)
  t.deepEqual(phase('OUTBOUND', { externalCallId: null }).table.all('stop'), [{ type: 'stop', isStored: false }])
})

test('an answered call taken up again waits for what is left of a day since the answer, and long enough for what waited upstream', (t) => {
  const left = (agoMs: number) => {
    const table = official('OUTBOUND')
    table.send({ type: 'Resume', call: stored('OUTBOUND', { status: 'ACCEPTED', connectedAt: new Date(NOW - agoMs) }) })
    return table.last('startTimer').delayMs
  }
  t.deepEqual(
    [left(0), left(3_600_000), left(30 * 3_600_000), left(-3_600_000)],
    [86_400_000, 82_800_000, 60_000, 86_400_000],
  )
})

test('an offer that comes late waits no longer than is left of its time, but long enough to hear of its end', (t) => {
  const delay = (agoMs: number) => {
    const table = official('INBOUND')
    table.state = { ...table.state, facts: { ...table.state.facts, startedAt: new Date(NOW - agoMs) } }
    table.send({ type: 'StartInbound', seq: -1, externalCallId: 'ext', sdp: 'offer', rejection: null })
    table.store()
    return table.last('startTimer').delayMs
  }
  t.deepEqual([delay(0), delay(10_000), delay(3_600_000), delay(-5_000)], [60_000, 50_000, 5_000, 60_000])
})

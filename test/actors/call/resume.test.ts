import test from 'ava'
import type { Call } from '../../../src/domain/call.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { RefusalCode } from '../../../src/domain/errors.ts'
import {
  factsOf,
  inboundAccepted,
  inboundRinging,
  NOW,
  outboundAccepted,
  outboundRinging,
  sessionIs,
  Table,
  VOICE,
} from './decide-rig.ts'

const FILE = { id: 'play_1', mediaUrl: 'http://files/a', hangupAfterPlay: true, status: 'QUEUED' } as const

/** A live call, as it is stored. */
function row(direction: 'INBOUND' | 'OUTBOUND', patch: Partial<Call> = {}): Call {
  const facts = factsOf(direction)
  return {
    ...facts,
    externalCallId: 'ext',
    status: 'ACCEPTED',
    connectedAt: new Date(NOW - 5_000),
    endedAt: null,
    durationSeconds: null,
    errorCode: null,
    errorMessage: null,
    media: null,
    sdpOffer: direction === 'INBOUND' ? 'offer' : null,
    sdpAnswer: null,
    playback: [],
    mediaHost: 'host-1',
    recording: null,
    updatedAt: new Date(NOW - 5_000),
    ...patch,
  }
}

/** A call that another node resumes from its row. The node has asked the media host to adopt it. */
function resuming(call: Call): Table {
  const table = new Table(call.direction, true)
  table.send({ type: 'Resume', call })
  return table
}

function adopted(call: Call, hasLeg = true): Table {
  const table = resuming(call)
  table.send({ type: 'Adopted', attempt: table.last('mediaAdopt').attempt, outcome: succeed({ hasLeg }) })
  return table
}

function refused(call: Call, code: RefusalCode): Table {
  const table = resuming(call)
  table.send({ type: 'Adopted', attempt: table.last('mediaAdopt').attempt, outcome: fail(refuse(code, 'no')) })
  return table
}

// [nodes.calls.2]
test('a call is adopted at the host its row names; until that answered everything waits, then in order', (t) => {
  const table = resuming(row('OUTBOUND', { playback: [FILE] }))
  t.like(table.last('mediaAdopt'), { host: 'host-1', externalCallId: 'ext' })
  table.send({ type: 'Media', event: { type: 'flowing', callId: 'call_1' } })
  table.send({ type: 'Terminate', askId: 7 })
  t.deepEqual([table.all('move'), table.state.isFlowing], [[], false])
  table.send({ type: 'Adopted', attempt: table.last('mediaAdopt').attempt, outcome: succeed({ hasLeg: true }) })
  t.true(table.state.isFlowing)
  t.like(table.last('move').move, { to: 'COMPLETED', patch: { durationSeconds: 5 } })
  t.like(table.last('mediaStatus'), { status: 'ACCEPTED', externalCallId: 'ext' })
})

test('timers go on with what is left of their time, and leave what waited a moment to come first', (t) => {
  const left = (call: Call) =>
    adopted(call)
      .all('startTimer')
      .map(({ timer, delayMs }) => [timer, delayMs])
  const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1_000)
  t.deepEqual(left(row('OUTBOUND', { connectedAt: at(8) })), [['media', 12_000]])
  t.deepEqual(left(row('OUTBOUND', { connectedAt: at(300) })), [['media', 5_000]])
  t.deepEqual(left(row('OUTBOUND', { status: 'INITIATED', connectedAt: null })), [['unringing', 20_000]])
  t.deepEqual(left(row('OUTBOUND', { status: 'RINGING', connectedAt: null, updatedAt: at(25) })), [['ring', 35_000]])
  t.deepEqual(left(row('INBOUND', { status: 'RINGING', connectedAt: null, mediaHost: null })), [['ring', 50_000]])
})

// [nodes.calls.3]
test('files go on from the row and from what the host tells again: a finished one still hangs up', (t) => {
  const table = adopted(row('OUTBOUND', { playback: [{ ...FILE, status: 'PLAYING' }] }))
  const told = {
    type: 'playback',
    callId: 'call_1',
    playbackId: 'play_1',
    mediaUrl: FILE.mediaUrl,
    hangupAfterPlay: true,
  } as const
  table.send({ type: 'Media', event: { ...told, status: 'PLAYING' } })
  t.deepEqual(table.all('savePlayback'), [])
  table.send({ type: 'Media', event: { ...told, status: 'FINISHED' } })
  t.like(table.last('move').move, { to: 'COMPLETED', patch: { playback: [{ status: 'FINISHED' }] } })
})

// [nodes.calls.4] [nodes.calls.6]
test('a call that cannot be adopted ends with the reason: its host is lost, the adoption is too late, or a later owner has it', (t) => {
  for (const [code, errorCode] of [
    ['MEDIA_UNAVAILABLE', 'MEDIA_LOST'],
    ['CALL_NOT_FOUND', 'MEDIA_LOST'],
    ['CALL_INVALID_STATE', 'NODE_LOST'],
  ] as const) {
    const table = refused(row('OUTBOUND'), code)
    t.like(table.last('move').move, { to: 'FAILED', patch: { errorCode, durationSeconds: 5 } })
    t.is(table.last('terminate').externalCallId, 'ext')
  }
  const late = refused(row('OUTBOUND'), 'NOT_OWNER')
  t.deepEqual([late.all('move'), late.state.phase.at], [[], 'GONE'])
})

// [nodes.calls.10]
test('a call whose peer hung up while nobody owned it ends as upstream says, though its leg is told as lost first', (t) => {
  const lost = () => {
    const table = adopted(row('OUTBOUND'))
    table.send({ type: 'Media', event: { type: 'lost', callId: 'call_1', reason: 'closed' } })
    t.deepEqual(table.all('move'), [])
    return table
  }
  const ended = lost()
  ended.send({ type: 'ProviderEnded', seq: 1, reason: 'hangup' })
  t.like(ended.last('move').move, { to: 'COMPLETED', patch: { durationSeconds: 5 } })
  const held = lost()
  held.send({ type: 'UpstreamKnows', isConnected: true })
  t.like(held.last('move').move, { to: 'FAILED', patch: { errorCode: 'MEDIA_LOST' } })
  const silent = lost()
  t.like(silent.last('startTimer'), { timer: 'media', delayMs: 20_000 })
  silent.send({ type: 'TimerFired', timer: 'media' })
  t.like(silent.last('move').move, { to: 'FAILED', patch: { errorCode: 'MEDIA_LOST' } })
})

test('a call that upstream still has ends at once when its leg is lost', (t) => {
  const table = adopted(row('OUTBOUND'))
  table.send({ type: 'UpstreamKnows', isConnected: true })
  table.send({ type: 'Media', event: { type: 'lost', callId: 'call_1', reason: 'closed' } })
  t.like(table.last('move').move, { to: 'FAILED', patch: { errorCode: 'MEDIA_LOST' } })
})

test('a call that rings for us and has only lost its sockets is announced anew', (t) => {
  const table = refused(row('INBOUND', { status: 'RINGING', connectedAt: null, mediaHost: null }), 'CALL_NOT_FOUND')
  t.is(table.last('mediaAnnounce').externalCallId, 'ext')
  table.send({ type: 'Accept', askId: 1, sdp: null })
  t.is(table.last('mediaAnswer').sdpOffer, 'offer')
})

test('an accept in doubt is not repeated until the upstream says whether it arrived; if it did, it is stored with its event', (t) => {
  const ringing = row('INBOUND', { status: 'RINGING', connectedAt: null, mediaHost: null })
  const through = adopted(ringing)
  through.send({ type: 'Media', event: { type: 'accept', callId: 'call_1' } })
  through.send({ type: 'Accept', askId: 1, sdp: null })
  t.deepEqual(through.all('mediaAnswer'), [])
  through.send({ type: 'UpstreamKnows', isConnected: true })
  t.like(through.last('move').move, { to: 'ACCEPTED', events: [{ event: 'call.connected' }] })
  through.store()
  t.like(through.replyTo(1), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
  const not = adopted(ringing)
  not.send({ type: 'Accept', askId: 1, sdp: null })
  not.send({ type: 'UpstreamKnows', isConnected: false })
  t.is(not.all('mediaAnswer').length, 1)
})

test('the leg of an accept in doubt is told of as lost once the upstream says what arrived; until then it is kept', (t) => {
  const lost = (): Table => {
    const table = adopted(row('INBOUND', { status: 'RINGING', connectedAt: null, mediaHost: null })).forget()
    table.send({ type: 'Media', event: { type: 'lost', callId: 'call_1', reason: 'HOST_GONE' } })
    t.deepEqual(table.all('mediaAnnounce'), [], 'the next owner would take the call for one that nobody accepted')
    return table
  }
  const through = lost()
  through.send({ type: 'UpstreamKnows', isConnected: true })
  t.like(through.last('move').move, { to: 'FAILED', patch: { errorCode: 'MEDIA_LOST' } })
  const not = lost()
  not.send({ type: 'UpstreamKnows', isConnected: false })
  t.deepEqual([not.all('mediaAnnounce').length, not.all('readVoice').length, not.all('move')], [1, 1, []])
})

// [voice.recordings.1]
test('a recorded call that another node goes on with stays one, also when only its host had heard of that', (t) => {
  const known = adopted(row('OUTBOUND', { recording: 'ASKED' }))
  known.send({ type: 'Terminate', askId: 1 })
  t.is(known.last('move').move.events[0]?.data['recordingUrl'], '/v1/calls/call_1/recording')
  const table = new Table('INBOUND', true)
  table.send({ type: 'Resume', call: row('INBOUND', { status: 'RINGING', connectedAt: null, mediaHost: null }) })
  const { attempt } = table.last('mediaAdopt')
  table.send({ type: 'Adopted', attempt, outcome: succeed({ hasLeg: true, isRecorded: true }) })
  table.send({ type: 'UpstreamKnows', isConnected: true })
  t.is(table.last('move').move.patch.recording, 'ASKED')
})

test('the peer may hang up while an accept is in doubt', (t) => {
  const table = adopted(row('INBOUND', { status: 'RINGING', connectedAt: null, mediaHost: null }))
  table.send({ type: 'ProviderEnded', seq: 4, reason: 'canceled' })
  t.is(table.last('move').move.to, 'MISSED')
})

test('an answer told again to a call that stands as answered is handed to its leg, which may lack it', (t) => {
  const table = adopted(row('OUTBOUND'))
  table.send({ type: 'ProviderAnswered', seq: 9, sdp: 'v=0' })
  t.is(table.last('mediaConnect').sdpAnswer, 'v=0')
  t.deepEqual(
    table.all('settle').map(({ seq }) => seq),
    [9],
  )
  const own = outboundAccepted()
  own.forget().send({ type: 'ProviderAnswered', seq: 9, sdp: 'v=0' })
  t.deepEqual(own.all('mediaConnect'), [])
})

test('a stopping node leaves a call without a write when its media host stays, and ends it otherwise', (t) => {
  for (const made of [outboundRinging, outboundAccepted, inboundRinging, inboundAccepted]) {
    const ending = made()
    ending.forget().send({ type: 'Leave' })
    t.like(ending.last('move').move, { to: 'FAILED', patch: { errorCode: 'NODE_LOST' } })
    const shared = made()
    shared.state = { ...shared.state, outlives: true }
    shared.forget().send({ type: 'Leave' })
    t.deepEqual(
      shared.effects.map(({ type }) => type),
      ['cancelTimers', 'mediaLeave', 'stop'],
    )
    t.is(shared.state.phase.at, 'GONE')
  }
})

test('open asks of a call are answered before a stopping node leaves it', (t) => {
  const table = outboundAccepted()
  table.state = { ...table.state, outlives: true }
  table.send({ type: 'Play', askId: 5, playbackId: 'play_1', mediaUrl: FILE.mediaUrl, hangupAfterPlay: false })
  table.send({ type: 'OpenSession', askId: 6, mode: 'talk', by: 'key_1' })
  table.send({ type: 'Leave' })
  t.deepEqual(table.all('mediaLeave'), [])
  table.send({ type: 'Minted', askId: 6, outcome: succeed({ wsUrl: 'ws://m', token: 't', expiresAtMs: 0 }) })
  table.send({
    type: 'PlayQueued',
    askId: 5,
    playbackId: 'play_1',
    mediaUrl: FILE.mediaUrl,
    hangupAfterPlay: false,
    outcome: succeed(null),
  })
  t.deepEqual(table.all('mediaLeave'), [])
  table.store()
  t.is(table.all('mediaLeave').length, 1)
  t.like(table.replyTo(5), { ok: true })
  t.like(table.replyTo(6), { ok: true })
})

// [voice.number-setting.7]
test('the next owner of a ringing call has its bot told again, and what it hears of it waits until upstream knows', (t) => {
  const ringing = { status: 'RINGING', connectedAt: null } as const
  t.is(adopted(row('INBOUND', ringing), false).all('readVoice').length, 1)
  t.is(refused(row('INBOUND', ringing), 'MEDIA_UNAVAILABLE').all('readVoice').length, 1)
  t.deepEqual(adopted(row('INBOUND')).all('readVoice'), [])
  const inDoubt = adopted(row('INBOUND', ringing))
  inDoubt.send({
    type: 'VoiceRead',
    voice: { ...VOICE, onUnreachable: 'reject' },
  })
  inDoubt.send(sessionIs('OPEN'))
  t.deepEqual(inDoubt.all('mediaAnswer'), [])
  inDoubt.send({ type: 'UpstreamKnows', isConnected: false })
  t.is(inDoubt.all('mediaAnswer').length, 1)
})

import test from 'ava'
import type { Call } from '../../../src/domain/call.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { answeredAhead, incoming, official, preAccepted, withBot } from './bridged-rig.ts'
import { factsOf, NOW, OFFER, Table, VOICE } from './decide-rig.ts'

/** What the platform offers: the least that can be answered. */
const NO_OPUS = OFFER.replace('opus/48000/2', 'PCMU/8000')

/** A bridged call that the platform took; our host's offer was `actpass`. */
function initiated(): Table {
  const table = official('OUTBOUND')
  table.send({ type: 'StartOutbound', askId: 1, sdp: null, media: 'bridge' })
  table.store()
  const made = succeed({ sdp: 'v=0\r\na=setup:actpass\r\n', host: 'host-1' })
  table.send({ type: 'MediaOffered', attempt: table.last('mediaOffer').attempt, outcome: made })
  table.send({ type: 'Offered', attempt: table.last('offer').attempt, outcome: succeed({ externalCallId: 'ext' }) })
  table.store()
  return table
}

// [bridged-calls.bridge.2]
test('an outbound call with media bridge is offered by our host as the active side, and its row has the offer', (t) => {
  const table = initiated()
  t.is(table.last('insert').call.media, 'bridge')
  t.is(table.last('offer').sdp, 'v=0\r\na=setup:active\r\n')
  t.like(table.last('saveExternalId'), { sdpOffer: 'v=0\r\na=setup:active\r\n', mediaHost: 'host-1' })
  t.is(table.last('startTimer').timer, 'ring')
})

test("the platform's answer is stored and given to the leg, before or after the user has accepted", (t) => {
  for (const isEarly of [true, false]) {
    const table = initiated()
    const sdp = { type: 'ProviderSdp', seq: -2, sdp: 'answer' } as const
    const accepted = { type: 'ProviderAnswered', seq: -3, sdp: null } as const
    for (const message of isEarly ? [sdp, accepted] : [accepted, sdp]) {
      table.send(message)
      table.store()
    }
    const { attempt, sdpAnswer } = table.last('mediaConnect')
    t.is(sdpAnswer, 'answer')
    t.is(table.state.connecting, attempt)
    table.send({ type: 'MediaConnected', attempt, outcome: succeed(null) })
    t.is(table.state.connecting, null)
    t.is(table.state.phase.at, 'ACCEPTED')
    t.true(table.all('startTimer').some(({ timer }) => timer === 'media'))
  }
})

test('an answer that the leg cannot take ends the call, also while it rings', (t) => {
  const table = initiated()
  table.send({ type: 'ProviderSdp', seq: -2, sdp: 'answer' })
  table.store()
  const { attempt } = table.last('mediaConnect')
  table.send({ type: 'MediaConnected', attempt, outcome: fail(refuse('INVALID_SDP', 'offers no Opus')) })
  t.like(table.last('move').move, { to: 'FAILED', patch: { errorCode: 'MEDIA_LOST' } })
  table.store()
  t.is(table.all('terminate').length, 1)
})

// [bridged-calls.bridge.6]
test('without audio within 20 s of the answer the call is lost, and is ended upstream', (t) => {
  const table = initiated()
  table.send({ type: 'ProviderAnswered', seq: -3, sdp: null })
  table.store()
  table.send({ type: 'TimerFired', timer: 'media' })
  t.like(table.last('move').move, { to: 'FAILED', patch: { errorCode: 'MEDIA_LOST' } })
  table.store()
  t.is(table.all('terminate').length, 1)
})

// [bridged-calls.bridge.4]
test('accept with media bridge has our host answer, and stores who carries the call', (t) => {
  const table = incoming()
  table.send({ type: 'Accept', askId: 1, sdp: null, media: 'bridge' })
  answeredAhead(table)
  t.like(table.last('accept'), { sdp: 'our answer' })
  table.send({ type: 'AcceptedUpstream', attempt: table.last('accept').attempt, outcome: succeed(null) })
  t.like(table.last('move').move, {
    to: 'ACCEPTED',
    patch: { media: 'bridge', sdpAnswer: 'our answer', mediaHost: 'host-1' },
  })
})

// [bridged-calls.bridge.13]
test('a call of an UNOFFICIAL number is as it is, with media bridge or without', (t) => {
  const table = new Table('OUTBOUND')
  table.send({ type: 'StartOutbound', askId: 1, sdp: null, media: 'bridge' })
  t.is(table.last('insert').call.media, null)
})

test('accept without either asks for one of them', (t) => {
  const table = incoming()
  table.send({ type: 'Accept', askId: 1, sdp: null })
  t.like(table.replyTo(1), { ok: false, error: { code: 'INVALID_SDP' } })
})

// [bridged-calls.bridge.11]
test('an offer without Opus is not carried: asking for it is refused, and a bot is not dialled', (t) => {
  const table = incoming(NO_OPUS)
  table.send({ type: 'VoiceRead', voice: VOICE })
  t.deepEqual(table.all('mediaDialVoice'), [])
  table.send({ type: 'Accept', askId: 1, sdp: null, media: 'bridge' })
  t.like(table.replyTo(1), { ok: false, error: { code: 'FEATURE_NOT_SUPPORTED' } })
  t.deepEqual(table.all('mediaAnswer'), [])
})

// [bridged-calls.bridge.5]
test('once the bot is there the answer goes upstream ahead, is stored, and the accept has the same', (t) => {
  const table = withBot()
  t.is(table.all('mediaAnnounce').length, 1)
  t.is(table.state.phase.at, 'INCOMING')
  answeredAhead(table)
  t.like(table.last('preAccept'), { askId: null, sdp: 'our answer' })
  preAccepted(table)
  t.like(table.all('move')[0]?.move, { to: 'RINGING', patch: { media: 'bridge', mediaHost: 'host-1' } })
  t.like(table.last('accept'), { sdp: 'our answer' })
  table.send({ type: 'AcceptedUpstream', attempt: table.last('accept').attempt, outcome: succeed(null) })
  t.like(table.last('move').move, { to: 'ACCEPTED' })
})

test('an accept after one that the platform refused has the same answer, and does not wait for another', (t) => {
  const table = withBot({ answer: 'ring' })
  table.send({ type: 'Accept', askId: 5, sdp: null, media: 'bridge' })
  answeredAhead(table)
  table.send({
    type: 'AcceptedUpstream',
    attempt: table.last('accept').attempt,
    outcome: fail(refuse('INVALID_SDP', 'not now')),
  })
  t.like(table.replyTo(5), { ok: false })
  table.forget().send({ type: 'Accept', askId: 6, sdp: null, media: 'bridge' })
  t.is(table.last('accept').sdp, 'our answer')
})

test('a bot that answers by itself finds everything set up, and an accept in between waits for it', (t) => {
  const ready = preAccepted(answeredAhead(withBot({ answer: 'ring' })))
  t.is(ready.state.phase.at, 'INCOMING')
  ready.send({ type: 'Media', event: { type: 'accept', callId: 'call_1' } })
  t.like(ready.last('accept'), { sdp: 'our answer' })
  t.is(ready.all('mediaAnswer').length, 1)
  const early = withBot({ answer: 'ring' })
  early.send({ type: 'Media', event: { type: 'accept', callId: 'call_1' } })
  answeredAhead(early)
  t.like(early.last('accept'), { sdp: 'our answer' })
  t.is(early.all('mediaAnswer').length, 1)
})

test('a host that cannot answer leaves the call ringing, or has it declined, as for a bot that cannot be had', (t) => {
  for (const onUnreachable of ['ring', 'reject'] as const) {
    const table = withBot({ onUnreachable })
    const outcome = fail<never>(refuse('MEDIA_CAPACITY', 'full'))
    table.send({ type: 'MediaAnswered', attempt: table.last('mediaAnswer').attempt, outcome })
    t.deepEqual(
      table.all('move').map(({ move }) => move.to),
      onUnreachable === 'ring' ? [] : ['REJECTED'],
    )
  }
})

function row(direction: 'INBOUND' | 'OUTBOUND', patch: Partial<Call>): Call {
  return {
    ...factsOf(direction),
    provider: 'OFFICIAL',
    externalCallId: 'ext',
    status: 'RINGING',
    connectedAt: null,
    endedAt: null,
    durationSeconds: null,
    errorCode: null,
    errorMessage: null,
    media: 'bridge',
    sdpOffer: OFFER,
    sdpAnswer: 'our answer',
    playback: [],
    mediaHost: 'host-1',
    recording: null,
    updatedAt: new Date(NOW - 5_000),
    ...patch,
  }
}

function adopted(call: Call): Table {
  const table = official(call.direction, true)
  table.send({ type: 'Resume', call })
  table.send({ type: 'Adopted', attempt: table.last('mediaAdopt').attempt, outcome: succeed({ hasLeg: true }) })
  return table
}

// [bridged-calls.bridge.3]
test('the next owner adopts a bridged call, hands the answer on once more, and accepts with the one sent ahead', (t) => {
  const outbound = adopted(row('OUTBOUND', { sdpAnswer: 'answer' }))
  t.is(outbound.last('mediaConnect').sdpAnswer, 'answer')
  const inbound = withBot({}, adopted(row('INBOUND', {})))
  t.deepEqual(inbound.all('mediaAnswer'), [])
  t.like(inbound.last('accept'), { sdp: 'our answer' })
})

test('a call that rings for a bot of the number has it dialled by the next owner, too', (t) => {
  const table = official('INBOUND', true)
  table.send({ type: 'Resume', call: row('INBOUND', { media: null, sdpAnswer: null, mediaHost: null }) })
  t.is(table.all('readVoice').length, 1)
})

test('a number that starts anew leaves a bridged call to its next owner where media hosts outlive the node', (t) => {
  const shared = incoming(OFFER, true)
  preAccepted(answeredAhead(withBot({ answer: 'ring' }, shared)))
  shared.send({ type: 'Abandon', reason: 'PROVIDER_FAILED' })
  t.is(shared.last('stop').isStored, true)
  const alone = preAccepted(answeredAhead(withBot({ answer: 'ring' })))
  alone.send({ type: 'Abandon', reason: 'PROVIDER_FAILED' })
  t.like(alone.last('move').move, { to: 'FAILED', patch: { errorCode: 'PROVIDER_FAILED' } })
})

// [bridged-calls.bridge.10]
test("a further answer of the platform is for the leg, a repeated one and one of a tenant's own call is not", (t) => {
  const table = initiated()
  const said = (sdp: string, seq: number) => {
    table.send({ type: 'ProviderSdp', seq, sdp })
    if (table.state.write) table.store()
  }
  said('answer', -2)
  said('answer', -3)
  t.is(table.all('mediaUpdate').length, 0)
  said('another', -4)
  t.is(table.last('mediaUpdate').sdp, 'another')
  t.is(table.all('mediaConnect').length, 1)
  t.is(table.state.sdpAnswer, 'answer')
  t.deepEqual(
    table.all('settle').map(({ seq }) => seq),
    [-2, -3, -4],
  )
  const own = official('OUTBOUND')
  own.send({ type: 'StartOutbound', askId: 1, sdp: OFFER })
  own.store()
  own.send({ type: 'Offered', attempt: own.last('offer').attempt, outcome: succeed({ externalCallId: 'ext' }) })
  own.store()
  for (const [seq, sdp] of [
    [-2, 'answer'],
    [-3, 'another'],
  ] as const) {
    own.send({ type: 'ProviderSdp', seq, sdp })
    if (own.state.write) own.store()
  }
  t.is(own.all('mediaUpdate').length, 0)
  t.is(own.state.sdpAnswer, 'answer')
})

// [bridged-calls.bridge.10] [bridged-calls.bridge.14]
test('an offer that comes again replaces one that nobody answered, and is for the leg afterwards', (t) => {
  const moved = OFFER.replace('o=- 1 1', 'o=- 1 2')
  const table = incoming()
  table.send({ type: 'ProviderRepeated', seq: -2, sdp: NO_OPUS })
  table.send({ type: 'Accept', askId: 1, sdp: null, media: 'bridge' })
  t.is(table.last('mediaAnswer').sdpOffer, OFFER)
  const other = incoming()
  other.send({ type: 'ProviderRepeated', seq: -2, sdp: moved })
  t.is(other.last('settle').seq, -2)
  other.send({ type: 'Accept', askId: 1, sdp: null, media: 'bridge' })
  t.is(other.last('mediaAnswer').sdpOffer, moved)
  other.send({ type: 'ProviderRepeated', seq: -3, sdp: OFFER })
  t.is(other.last('mediaUpdate').sdp, OFFER)
  t.is(other.last('settle').seq, -3)
  const ahead = withBot()
  answeredAhead(ahead)
  ahead.send({ type: 'ProviderRepeated', seq: -4, sdp: moved })
  t.is(ahead.last('mediaUpdate').sdp, moved)
})

// [bridged-calls.bridge.10]
test('a call that the device network announces again stays as it is', (t) => {
  const table = new Table('INBOUND')
  table.send({ type: 'StartInbound', seq: -1, externalCallId: 'ext', sdp: OFFER, rejection: null })
  table.store()
  table.send({ type: 'ProviderRepeated', seq: -2, sdp: OFFER.replace('o=- 1 1', 'o=- 1 2') })
  t.is(table.last('settle').seq, -2)
  table.send({ type: 'Accept', askId: 1, sdp: null })
  t.is(table.last('mediaAnswer').sdpOffer, OFFER)
  table.send({ type: 'ProviderRepeated', seq: -3, sdp: 'v=0' })
  t.is(table.all('mediaUpdate').length, 0)
})

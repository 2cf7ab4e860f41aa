import test from 'ava'
import { encodeSounds } from '../../../sandbox/devices/phone-opus.ts'
import { createTicker, type Ticker } from '../../../sandbox/devices/phone-ticker.ts'
import { Phone } from '../../../sandbox/devices/phone.ts'
import type { Measure } from '../../../sandbox/devices/phone-ear.ts'
import type { Voice } from '../../../sandbox/devices/behaviours.ts'
import { describeMedia } from '../../../src/domain/call-media.ts'
import type { CallMedia } from '../../../src/domain/call-media.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { until } from '../../helpers/until.ts'
import { GATEWAY_NUMBER, startPlayground, type BridgeClient, type Playground } from '../bridge-client.ts'

const PEER = '551199000'
const SOUNDS = await encodeSounds()
const TICKER = createTicker(systemClock)
const WAV_HEADER_BYTES = 44

/** The gateway's end of the media, which is another real phone. */
function media(voice: Voice, ticker: Ticker = TICKER): Promise<Phone> {
  return Phone.open(voice, { clock: systemClock, ticker, sounds: SOUNDS, lost: () => {} })
}

function described(media: CallMedia | null | undefined): string {
  return media ? describeMedia(media) : ''
}

async function place(client: BridgeClient, to: string, phone: Phone): Promise<string> {
  const { callId } = await client.result('call.offer', { to, media: { kind: 'webrtc', sdp: await phone.offer() } })
  return callId
}

/** Places a call and sends audio from the answer on. */
async function talk(
  client: BridgeClient,
  to: string,
  voice: Voice,
  ticker: Ticker = TICKER,
): Promise<{ callId: string; phone: Phone }> {
  const phone = await media(voice, ticker)
  const callId = await place(client, to, phone)
  const answered = await client.event('call.answered', (event) => event.callId === callId)
  await phone.connect(describeMedia(answered.media))
  phone.start()
  return { callId, phone }
}

/** The RMS of a tone at a quarter of full scale: 0.25 / sqrt 2. */
const TONE_RMS = 0.177
/**
 * In ms: a stretch in which even a busy machine now and then has no pause. A pause would add frequencies and lower the
 * level.
 */
const STRETCH_MS = 400
const isTone = ({ ms, rms, dominantHz }: Measure): boolean =>
  ms >= STRETCH_MS * 0.75 && Math.abs((dominantHz ?? 0) - 440) < 2 && Math.abs(rms - TONE_RMS) < 0.02

/** Waits for a stretch at the phone that contains only the tone. */
function toneAt(phone: Phone): Promise<Measure> {
  return until('a stretch of the tone is heard', async () => {
    const now = await phone.ear.measureSince(Date.now() - STRETCH_MS)
    return isTone(now) ? now : null
  })
}

/** Waits for a stretch at the peer's phone that contains only the tone. */
function toneAtPeer({ get }: Playground, callId: string): Promise<Measure> {
  return until('the peer heard a stretch of the tone', async () => {
    const { heard: now } = await get(`/control/calls/${callId}?window=${STRETCH_MS}`)
    return isTone(now) ? now : null
  })
}

/** Waits until the peer's phone heard this much; resolves to the call as the control API shows it. */
function heard({ get }: Playground, callId: string, ms: number): Promise<any> {
  return until(`the peer heard ${ms} ms`, async () => {
    const call = await get(`/control/calls/${callId}`)
    return call.heard.ms >= ms ? call : null
  })
}

// [sandbox.peers.1] [sandbox.control.7]
test('an answering peer rings, answers, and echoes level and frequency of what it hears', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const { callId, phone } = await talk(client, `${PEER}0001`, 'tone')
  t.deepEqual(
    client.events.filter(({ ev }) => ev.startsWith('call.')).map(({ ev }) => ev),
    ['call.ringing', 'call.answered'],
  )
  const call = await heard(playground, callId, 1_500)
  t.like(call, { state: 'CONNECTED', direction: 'OUTBOUND', from: GATEWAY_NUMBER, to: `${PEER}0001` })
  t.truthy(call.answeredAt)
  t.true(call.sent.ms > 0)
  const spoken = await toneAtPeer(playground, callId)
  const echo = await until('a stretch of its echo is as loud', async () => {
    const now = await toneAt(phone)
    return Math.abs(20 * Math.log10(now.rms / spoken.rms)) < 1.5 ? now : null
  })
  t.true(isTone(spoken) && isTone(echo))
  await client.result('call.terminate', { callId })
  const ended = await client.event('call.ended')
  t.is(ended.reason, 'hangup')
  t.is((await playground.get(`/control/calls/${callId}`)).state, 'ENDED')
  phone.close()
  await playground.sandbox.close()
})

// [sandbox.peers.9]
test('a peer of any other ending rings for two seconds, answers, and echoes what it hears', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const { callId, phone } = await talk(client, `${PEER}1234`, 'tone')
  t.deepEqual(
    client.events.filter(({ ev }) => ev.startsWith('call.')).map(({ ev }) => ev),
    ['call.ringing', 'call.answered'],
  )
  const { createdAt, answeredAt } = await playground.get(`/control/calls/${callId}`)
  t.true(Date.parse(answeredAt) - Date.parse(createdAt) >= 1_990)
  t.true(isTone(await toneAt(phone)))
  t.is((await playground.get(`/control/calls/${callId}`)).state, 'CONNECTED')
  await client.result('call.terminate', { callId })
  phone.close()
  await playground.sandbox.close()
})

for (const [digits, reason] of [
  ['0002', 'declined'],
  ['0007', 'failed'],
] as const) {
  // [sandbox.peers.2] [sandbox.peers.7] [bridge.events.9]
  test(`a call to a peer ending in ${digits} rings and ends as ${reason}`, async (t) => {
    const playground = await startPlayground()
    const { client } = await playground.link(GATEWAY_NUMBER)
    const phone = await media('silence')
    const callId = await place(client, PEER + digits, phone)
    t.is((await client.event('call.ended')).reason, reason)
    t.is(client.all('call.ringing').length, 1)
    t.is(client.all('call.answered').length, 0)
    t.like(await playground.get(`/control/calls/${callId}`), { state: 'ENDED', answeredAt: null, reason })
    phone.close()
    await playground.sandbox.close()
  })
}

// [sandbox.peers.3]
test('a peer ending in 0003 rings until the gateway gives up', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const phone = await media('silence')
  const callId = await place(client, `${PEER}0003`, phone)
  await client.event('call.ringing')
  await client.result('call.terminate', { callId })
  t.is((await client.event('call.ended')).reason, 'canceled')
  t.true((await client.ask('call.terminate', { callId })).ok)
  t.is(client.all('call.ended').length, 1)
  phone.close()
  await playground.sandbox.close()
})

test('impossible calls are refused at once', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const phone = await media('silence')
  const sdp = await phone.offer()
  t.is(await client.refusal('call.offer', { to: `${PEER}0004`, media: { kind: 'webrtc', sdp } }), 'NOT_REGISTERED')
  t.is(await client.refusal('call.offer', { to: `${PEER}0001`, media: { kind: 'webrtc', sdp: 'hello' } }), 'INVALID')
  t.is(await client.refusal('call.terminate', { callId: 'nothing' }), 'UNKNOWN_CALL')
  t.deepEqual(await playground.get('/control/calls'), { calls: [] })
  phone.close()
  await playground.sandbox.close()
})

// [sandbox.peers.5]
test('a peer ending in 0005 hangs up three seconds after it answered', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const { callId, phone } = await talk(client, `${PEER}0005`, 'silence')
  t.is((await client.event('call.ended')).reason, 'hangup')
  const { answeredAt, endedAt } = await playground.get(`/control/calls/${callId}`)
  t.true(Date.parse(endedAt) - Date.parse(answeredAt) >= 2_990)
  phone.close()
  await playground.sandbox.close()
})

// [sandbox.peers.6]
test('a peer ending in 0006 sends a tone of 440 Hz', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const { phone } = await talk(client, `${PEER}0006`, 'silence')
  t.true(isTone(await toneAt(phone)))
  phone.close()
  await playground.sandbox.close()
})

// [sandbox.peers.8]
test('a peer ending in 0008 answers and never sends a packet, but hears', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const { callId, phone } = await talk(client, `${PEER}0008`, 'tone')
  const call = await heard(playground, callId, 1_000)
  t.is(call.sent.ms, 0)
  t.is(phone.ear.heard().packets, 0)
  phone.close()
  await playground.sandbox.close()
})

// [sandbox.control.6]
test('digits go both ways', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const { callId, phone } = await talk(client, `${PEER}0001`, 'tone')
  await heard(playground, callId, 100)
  phone.press('12#')
  const { status } = await playground.post(`/control/calls/${callId}/dtmf`, { digits: '9a*' })
  t.is(status, 200)
  await until(
    'the peer heard the digits',
    async () => (await playground.get(`/control/calls/${callId}`)).heard.digits === '12#',
  )
  await until('the gateway heard the digits', () => phone.digits.length === 3)
  t.deepEqual(
    phone.digits,
    ['9', 'A', '*'].map((digit) => ({ digit, durationMs: 100 })),
  )
  t.is((await playground.post(`/control/calls/${callId}/dtmf`, { digits: 'x' })).status, 400)
  phone.close()
  await playground.sandbox.close()
})

// [sandbox.control.5]
test('an inbound call is accepted and hangs up when asked beforehand', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const { body } = await playground.post(`/control/peers/${PEER}0001/calls`, { to: GATEWAY_NUMBER, hangupAfterMs: 100 })
  const incoming = await client.event('call.incoming')
  const phone = await media('silence')
  await client.result('call.accept', {
    callId: body.callId,
    media: { kind: 'webrtc', sdp: await phone.answer(described(incoming.media)) },
  })
  t.is((await client.event('call.ended')).reason, 'hangup')
  phone.close()
  await playground.sandbox.close()
})

// [sandbox.control.5] [sandbox.control.6] [sandbox.control.7]
test('an inbound call is accepted, speaks as asked, and hangs up when asked', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const { status, body } = await playground.post(`/control/peers/${PEER}0001/calls`, {
    to: GATEWAY_NUMBER,
    audio: 'tone',
  })
  t.is(status, 201)
  const incoming = await client.event('call.incoming')
  t.is(incoming.callId, body.callId)
  t.is(incoming.from, `${PEER}0001`)
  const phone = await media('silence')
  const sdp = await phone.answer(described(incoming.media))
  await client.result('call.accept', { callId: body.callId, media: { kind: 'webrtc', sdp } })
  phone.start()
  t.is(await client.refusal('call.accept', { callId: body.callId, media: { kind: 'webrtc', sdp } }), 'INVALID')
  t.true(isTone(await toneAt(phone)))
  t.is((await playground.post(`/control/calls/${body.callId}/hangup`)).status, 200)
  t.is((await client.event('call.ended')).reason, 'hangup')
  t.like(await playground.get(`/control/calls/${body.callId}`), {
    state: 'ENDED',
    direction: 'INBOUND',
    from: `${PEER}0001`,
    to: GATEWAY_NUMBER,
  })
  t.is(await client.refusal('call.accept', { callId: body.callId, media: { kind: 'webrtc', sdp } }), 'UNKNOWN_CALL')
  phone.close()
  await playground.sandbox.close()
})

// [bridge.ops.11] [bridge.events.9]
test('an inbound call that the gateway rejects is declined, and one the peer gives up is canceled', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const first = (await playground.post(`/control/peers/${PEER}0001/calls`, { to: GATEWAY_NUMBER })).body
  await client.result('call.reject', { callId: first.callId })
  t.is((await client.event('call.ended', ({ callId }) => callId === first.callId)).reason, 'declined')
  const second = (await playground.post(`/control/peers/${PEER}0001/calls`, { to: GATEWAY_NUMBER })).body
  t.is((await playground.post(`/control/calls/${second.callId}/hangup`)).status, 200)
  t.is((await client.event('call.ended', ({ callId }) => callId === second.callId)).reason, 'canceled')
  t.is((await playground.post(`/control/calls/${second.callId}/hangup`)).status, 409)
  await playground.sandbox.close()
})

test('a peer cannot call a number that is not linked', async (t) => {
  const playground = await startPlayground()
  t.is((await playground.post(`/control/peers/${PEER}0001/calls`, { to: GATEWAY_NUMBER })).status, 409)
  await playground.sandbox.close()
})

test('a logout ends the calls of the number', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  await playground.post(`/control/peers/${PEER}0001/calls`, { to: GATEWAY_NUMBER })
  await playground.post(`/control/devices/${GATEWAY_NUMBER}/logout`)
  t.is((await client.event('call.ended')).reason, 'failed')
  await playground.sandbox.close()
})

// [sandbox.control.8]
test('the recording lasts as long as what was heard, and the levels tell when sound arrived', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const { callId, phone } = await talk(client, `${PEER}0001`, 'tone')
  await heard(playground, callId, 1_000)
  await client.result('call.terminate', { callId })
  await client.event('call.ended')
  phone.close()
  const call = await playground.get(`/control/calls/${callId}`)
  const response = await fetch(`http://127.0.0.1:${playground.sandbox.port}/control/calls/${callId}/heard.wav`)
  t.is(response.headers.get('content-type'), 'audio/wav')
  const wav = Buffer.from(await response.arrayBuffer())
  t.is(wav.readUInt32LE(24), 48_000)
  const gapsMs = call.heard.gaps.reduce((sum: number, gap: any) => sum + (gap.kind === 'packets' ? gap.ms : 0), 0)
  const recordedMs = (wav.length - WAV_HEADER_BYTES) / 96
  // Delays too short to count as gaps may make it a little longer.
  t.true(
    recordedMs >= call.heard.ms - 1 && recordedMs <= call.heard.ms + gapsMs + 200,
    `recorded ${recordedMs} of ${call.heard.ms} ms`,
  )
  const { levels } = await playground.get(`/control/calls/${callId}/levels`)
  t.is(levels.length, call.heard.packets)
  t.is(levels.at(-1).atMs, call.heard.lastPacketAt)
  t.true(levels.at(-1).rms > 0.1)
  const { levels: late } = await playground.get(`/control/calls/${callId}/levels?since=${call.heard.lastPacketAt}`)
  t.true(late.length >= 1 && late.length < levels.length)
  await playground.sandbox.close()
})

test('a pause of the speaker shows as silence while it lasts, and as a gap behind it', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  let isPaused = false
  const ticker: Ticker = {
    add: (listen) =>
      TICKER.add((slots) => {
        if (!isPaused) listen(slots)
      }),
  }
  const { callId, phone } = await talk(client, `${PEER}0001`, 'tone', ticker)
  await heard(playground, callId, 500)
  isPaused = true
  const silent = await until('the peer heard nothing for 400 ms', async () => {
    const call = await playground.get(`/control/calls/${callId}?window=200`)
    return call.heard.silentSinceMs >= 400 ? call : null
  })
  t.like(silent.heard, { ms: 0, rms: 0, dominantHz: null })
  isPaused = false
  const call = await heard(playground, callId, silent.heard.total.ms + 200)
  const longest = Math.max(...call.heard.gaps.map((gap: any) => gap.ms))
  // The phone had 120 ms buffered when the packets stopped, and more when earlier packets were late.
  t.true(longest >= 150, `the longest gap is ${longest} ms`)
  t.is(call.heard.gapCount, call.heard.gaps.length)
  t.true(call.heard.lastSoundAt > silent.heard.lastSoundAt)
  phone.close()
  await playground.sandbox.close()
})

test('ten calls at once are all heard and echoed', async (t) => {
  const playground = await startPlayground()
  const { client } = await playground.link(GATEWAY_NUMBER)
  const calls = await Promise.all(Array.from({ length: 10 }, (_, index) => talk(client, `${PEER}1${index}01`, 'tone')))
  for (const { callId, phone } of calls) {
    t.true(isTone(await toneAtPeer(playground, callId)))
    t.truthy(await until('the echo came', () => phone.ear.heard().rms > 0.1))
    phone.close()
  }
  await playground.sandbox.close()
})

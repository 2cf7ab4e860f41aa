import { once } from 'node:events'
import test from 'ava'
import { createDecoder } from 'libopus-wasm'
import { WebSocket, WebSocketServer } from 'ws'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { newId } from '../../../src/domain/ids.ts'
import { dominantHz, joined, toneSource } from '../../helpers/audio-signal.ts'
import { newCall, ramp } from '../../helpers/media-host-rig.ts'
import { until, within } from '../../helpers/until.ts'
import { startRig, placed, Engine, pass, flowing, SLOT } from './raw-engine.ts'

async function statusOf(url: string, token: string | null): Promise<{ status: number; code: string }> {
  const socket = new WebSocket(url, { headers: token === null ? {} : { authorization: `Bearer ${token}` } })
  socket.on('error', () => {})
  const [, response] = await within('the upgrade is refused', once(socket, 'unexpected-response'))
  const chunks = await response.toArray()
  return { status: response.statusCode, code: JSON.parse(Buffer.concat(chunks).toString()).code }
}

// [engines.pcm16.2]
test('the host names its address and a token, which opens one socket; a wrong, a used and an old one are 401', async (t) => {
  const rig = await startRig(t)
  const { callId, media } = await placed(rig)
  t.is(media.kind, 'pcm16')
  t.is(media.url, `${rig.host.publicUrl}/v1/legs/${callId}`)
  t.regex(media.token, /^[\w-]{43}$/)
  t.deepEqual(await statusOf(media.url, null), { status: 401, code: 'INVALID_TOKEN' })
  t.deepEqual(await statusOf(media.url, 'wrong'), { status: 401, code: 'INVALID_TOKEN' })
  // A token is not accepted in the address, because proxies log addresses.
  t.deepEqual(await statusOf(`${media.url}?token=${media.token}`, null), { status: 401, code: 'INVALID_TOKEN' })
  const other = await placed(rig)
  t.deepEqual(await statusOf(other.media.url, media.token), { status: 401, code: 'INVALID_TOKEN' })
  const engine = await Engine.connect(media)
  t.deepEqual(await statusOf(media.url, media.token), { status: 401, code: 'TOKEN_USED' })
  t.is(engine.closed, null)
  // Time passes in steps, because one long step would make the control socket look dead.
  for (let step = 0; step < 4; step++) {
    rig.clock.advance(30_000)
    await rig.control.do('sync', { calls: [callId, other.callId] })
  }
  t.deepEqual(await statusOf(other.media.url, other.media.token), { status: 401, code: 'TOKEN_EXPIRED' })
  await rig.control.do('close', { callId, status: 'COMPLETED' })
  t.deepEqual(await engine.ends(), { code: 1000, reason: 'ended' })
  t.deepEqual(engine.of('ended').length, 1)
  t.deepEqual(await statusOf(media.url, media.token), { status: 401, code: 'INVALID_TOKEN' })
})

// [engines.pcm16.5]
test('an engine that calls and names no address is given one, at the rate it asked for; other rates and descriptions are refused', async (t) => {
  const rig = await startRig(t)
  const call = newCall('INBOUND', 'RINGING')
  for (const sdpOffer of [
    '{"kind":"pcm16","rateHz":44100}',
    '{"kind":"pcm16"}',
    '{"kind":"pcm16","rateHz":8000,"url":"http://a.example/","token":"t"}',
    '{',
  ])
    t.like(await rig.control.ask('answer', { call, sdpOffer }), { ok: false, error: { code: 'INVALID_SDP' } })
  const { sdp } = await rig.control.do('answer', { call, sdpOffer: '{"kind":"pcm16","rateHz":8000}' })
  const media = JSON.parse(sdp)
  t.is(media.rateHz, 8_000)
  await rig.control.do('status', { callId: call.callId, status: 'ACCEPTED' })
  const engine = await Engine.connect(media)
  engine.say(new Int16Array(160))
  await until('media flows', () => rig.control.of('flowing').length === 1)
  await pass(rig, 10)
  await until('a slot is 160 samples', () => engine.samples.length === 1_600)
  t.like(await rig.control.ask('connect', { callId: call.callId, sdpAnswer: 'v=0' }), {
    ok: false,
    error: { code: 'INVALID_SDP' },
  })
})

test('time is counted in samples, 20 ms a slot; audio from the bot arrives unchanged, and audio from the engine reaches the bot', async (t) => {
  const rig = await startRig(t)
  const { callId, engine } = await flowing(rig, t)
  const bot = await rig.client(callId, 'rate=16000&prebufferMs=0')
  bot.speak(ramp(SLOT * 50))
  await rig.settled(bot)
  const before = engine.samples.length
  await pass(rig, 50)
  await until('all of it arrived', () => engine.samples.length === before + SLOT * 50)
  t.deepEqual(engine.samples.slice(before), [...ramp(SLOT * 50)])
  const heardBefore = bot.samples
  for (let slot = 0; slot < 50; slot++) {
    engine.say(ramp(SLOT, slot * SLOT))
    await pass(rig, 1)
  }
  await pass(rig, 10)
  await until('the bot heard a slot each', () => bot.samples === heardBefore + SLOT * 60)
})

// [engines.pcm16.4]
test('digits travel both ways, in order with the audio', async (t) => {
  const rig = await startRig(t)
  const { callId, engine } = await flowing(rig, t)
  const bot = await rig.client(callId, 'rate=16000&prebufferMs=0')
  const before = engine.samples.length
  bot.speak(ramp(SLOT * 5))
  bot.send({ type: 'dtmf', digits: '1#' })
  await rig.settled(bot)
  await pass(rig, 25)
  await until('the digits arrived', () => engine.of('dtmf').length === 2)
  t.deepEqual(engine.of('dtmf'), [
    { type: 'dtmf', digit: '1', durationMs: 100 },
    { type: 'dtmf', digit: '#', durationMs: 100 },
  ])
  const begun = engine.texts.flatMap(({ type }, index) => (type === 'dtmf' ? [engine.samplesBefore[index] ?? 0] : []))
  t.true((begun[0] ?? 0) - before >= SLOT * 5)
  t.is((begun[1] ?? 0) - (begun[0] ?? 0), SLOT * 8)
  engine.socket.send(JSON.stringify({ type: 'dtmf', digit: '9', durationMs: 140 }))
  t.like(await bot.until('dtmf'), { digit: '9', durationMs: 140 })
})

// [engines.pcm16.4]
test('after clear the engine is told to drop what it holds, and at most 20 ms of old audio follow', async (t) => {
  const rig = await startRig(t)
  const { callId, engine } = await flowing(rig, t)
  const bot = await rig.client(callId, 'rate=16000&prebufferMs=0')
  bot.speak(new Int16Array(SLOT * 100).fill(9_000))
  await rig.settled(bot)
  await pass(rig, 20)
  bot.send({ type: 'clear', id: 1 })
  await bot.until('cleared')
  await pass(rig, 20)
  await until('the engine heard of it', () => engine.of('clear').length === 1)
  const at = engine.samplesBefore[engine.texts.findIndex(({ type }) => type === 'clear')] ?? 0
  await until('slots came after it', () => engine.samples.length >= at + SLOT * 20)
  const old = engine.samples.slice(at).filter((sample) => sample !== 0).length
  t.true(engine.samples.slice(0, at).includes(9_000))
  t.true(old <= SLOT, `${old}`)
})

// [engines.pcm16.6]
test('a dropped socket that comes back within 10 s with the same token goes on; then the leg is lost', async (t) => {
  const rig = await startRig(t)
  const { callId, engine, media } = await flowing(rig, t)
  const bot = await rig.client(callId, 'rate=16000&prebufferMs=0')
  engine.socket.terminate()
  await until('it may come back', async () => {
    const socket = new WebSocket(media.url, { headers: { authorization: `Bearer ${media.token}` } })
    const opened = await Promise.race([
      once(socket, 'open').then(() => true),
      once(socket, 'unexpected-response').then(() => false),
    ]).catch(() => false)
    if (opened) socket.terminate()
    return opened
  })
  rig.clock.advance(9_000)
  const back = await until('it is back', () => Engine.connect(media).catch(() => null))
  back.say(ramp(SLOT))
  rig.clock.advance(10_000)
  bot.speak(ramp(SLOT * 5))
  await rig.settled(bot)
  await pass(rig, 10)
  await until('audio goes on', () => back.samples.some((sample) => sample !== 0))
  t.deepEqual(rig.control.of('lost'), [])
  back.socket.terminate()
  const health = () => statusOf(media.url, media.token).catch(() => null)
  await until('the leg waits', async () => {
    rig.clock.advance(2_000)
    return rig.control.of('lost').length > 0
  })
  t.like(rig.control.of('lost')[0], { callId, reason: 'SOCKET_LOST' })
  t.deepEqual(await health(), { status: 401, code: 'INVALID_TOKEN' })
})

test('an engine whose connection died unseen takes its place again, and the old socket is closed', async (t) => {
  const rig = await startRig(t)
  const { engine, media } = await flowing(rig, t)
  t.is((await statusOf(media.url, media.token)).code, 'TOKEN_USED')
  rig.clock.advance(1_000)
  const back = await Engine.connect(media)
  t.deepEqual(await engine.ends(), { code: 4409, reason: 'REPLACED' })
  await pass(rig, 5)
  await until('the new one is carried on', () => back.samples.length >= SLOT * 5)
})

const BREACHES: readonly (readonly [string, (engine: Engine) => void, number, string])[] = [
  ['half a sample', (engine) => engine.socket.send(Buffer.alloc(641)), 1003, 'ODD_LENGTH'],
  ['more than 64 KiB', (engine) => engine.socket.send(Buffer.alloc(65_538)), 1009, 'MESSAGE_TOO_BIG'],
  ['text that is no JSON', (engine) => engine.socket.send('{'), 1007, 'BAD_JSON'],
  [
    'a text of more than 4 KiB',
    (engine) => engine.socket.send(JSON.stringify({ type: 'stats', x: Array.from({ length: 1_500 }, () => []) })),
    1009,
    'MESSAGE_TOO_BIG',
  ],
  [
    'over 100 texts in a second',
    (engine) => {
      for (let sent = 0; sent < 101; sent++) engine.socket.send('{"type":"stats"}')
    },
    4429,
    'RATE_EXCEEDED',
  ],
  [
    'over 500 messages in a second',
    (engine) => {
      for (let sent = 0; sent < 501; sent++) engine.socket.send(Buffer.alloc(2))
    },
    4429,
    'RATE_EXCEEDED',
  ],
]
for (const [what, breach, code, reason] of BREACHES) {
  test(`${what} closes the socket with ${code}`, async (t) => {
    const rig = await startRig(t)
    const { engine } = await flowing(rig, t)
    breach(engine)
    t.deepEqual(await engine.ends(), { code, reason })
  })
}

test('64 KiB, an empty message and words nobody knows are taken', async (t) => {
  const rig = await startRig(t)
  const { engine } = await flowing(rig, t)
  engine.socket.send(Buffer.alloc(65_536))
  engine.socket.send(Buffer.alloc(0))
  for (const text of ['{"type":"later"}', '{}', '{"type":"dtmf","digit":"x"}', '{"type":"stats","rttMs":"no"}'])
    engine.socket.send(text)
  engine.socket.ping()
  await within('all was read', once(engine.socket, 'pong'))
  t.is(engine.closed, null)
})

// [engines.pcm16.4]
test("the engine's report about its side is in the statistics, and it gets our report", async (t) => {
  const rig = await startRig(t)
  const { callId, engine } = await flowing(rig, t)
  const bot = await rig.client(callId, 'rate=16000&prebufferMs=0')
  engine.socket.send(JSON.stringify({ type: 'stats', rttMs: 42, jitterMs: 7, lost: 3 }))
  engine.socket.ping()
  await within('it was read', once(engine.socket, 'pong'))
  bot.send({ type: 'stats' })
  t.like(await bot.until('stats'), { rttMs: 42, jitterMs: 7, lost: 3 })
  await pass(rig, 260)
  t.like(await until('ours came', () => engine.of('stats')[0]), { type: 'stats', receivedFrames: 1 })
})

// [engines.pcm16.4]
test('an engine that says its audio is over loses the leg', async (t) => {
  const rig = await startRig(t)
  const { callId, engine } = await flowing(rig, t)
  engine.socket.send(JSON.stringify({ type: 'ended', reason: 'hangup' }))
  await engine.ends()
  rig.clock.advance(1_500)
  t.like(await until('it is told', () => rig.control.of('lost')[0]), { callId, reason: 'ENGINE_ENDED' })
})

test('for a reader that does not read a bounded backlog is kept, and after 10 s it is cut off', async (t) => {
  const rig = await startRig(t)
  const call = newCall('INBOUND', 'RINGING')
  const { sdp } = await rig.control.do('answer', { call, sdpOffer: '{"kind":"pcm16","rateHz":48000}' })
  await rig.control.do('status', { callId: call.callId, status: 'ACCEPTED' })
  const engine = await Engine.connect(JSON.parse(sdp))
  engine.say(new Int16Array(960))
  await until('media flows', () => rig.control.of('flowing').length === 1)
  const bot = await rig.client(call.callId, 'prebufferMs=0')
  const sentFrames = async (): Promise<number> => {
    const before = bot.of('stats').length
    bot.send({ type: 'stats' })
    await until('statistics came', () => bot.of('stats').length > before)
    return bot.of('stats').at(-1).sentFrames
  }
  engine.socket.pause()
  // The network itself holds seconds of audio, and may take more at any time: a reader is slow from the last frame that
  // found room. Time passes with the slots, so the line ends once none found room for 10 s.
  const isOver = () => rig.control.of('lost').length > 0
  let sent = -1
  await until('the leg is lost', async () => {
    for (let turn = 0; turn < 20 && !isOver(); turn++) await pass(rig, 50)
    // What the engine says shows that it lives.
    engine.say(new Int16Array(960))
    sent = await sentFrames()
    return isOver()
  })
  engine.socket.resume()
  t.deepEqual(await engine.ends(), { code: 4408, reason: 'SLOW_CONSUMER' })
  t.is(engine.samples.length, sent * 960)
})

// [engines.pcm16.2] [engines.pcm16.5]
test('where the engine listens, the host dials it with the engine’s token, and dials again when the socket drops', async (t) => {
  const rig = await startRig(t)
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  t.teardown(() => server.close())
  await once(server, 'listening')
  const engines: Engine[] = []
  const tokens: (string | undefined)[] = []
  server.on('connection', (socket, request) => {
    tokens.push(request.headers.authorization)
    engines.push(new Engine(socket))
  })
  const url = `ws://127.0.0.1:${(server.address() as { port: number }).port}/leg/1`
  const call = newCall('INBOUND', 'RINGING')
  const { sdp } = await rig.control.do('answer', {
    call,
    sdpOffer: JSON.stringify({ kind: 'pcm16', rateHz: 24_000, url, token: 'of the engine' }),
  })
  t.deepEqual(JSON.parse(sdp), { kind: 'pcm16', rateHz: 24_000 })
  await rig.control.do('status', { callId: call.callId, status: 'ACCEPTED' })
  const first = await until('it is dialled', () => engines[0])
  first.say(new Int16Array(480))
  await until('media flows', () => rig.control.of('flowing').length === 1)
  await pass(rig, 5)
  await until('slots come', () => first.samples.length >= 480 * 5)
  first.socket.terminate()
  const second = await until('it is dialled again', () => {
    rig.clock.advance(50)
    return engines[1]
  })
  await until('slots go on', async () => {
    await pass(rig, 1)
    return second.samples.length >= 480
  })
  t.deepEqual(tokens, ['Bearer of the engine', 'Bearer of the engine'])
  t.deepEqual(rig.control.of('lost'), [])
  await rig.control.do('close', { callId: call.callId, status: 'COMPLETED' })
  t.is((await second.ends()).code, 1000)
  rig.clock.advance(10_000)
  await pass(rig, 5)
  t.is(engines.length, 2)
})

test('a raw audio call is adopted by its next owner, and its engine hears no gap', async (t) => {
  const rig = await startRig(t)
  const first = await rig.node(newId('node'))
  const { callId, media } = await placed(rig, first, { fence: 1 })
  const engine = await Engine.connect(media)
  engine.say(new Int16Array(SLOT))
  await until('media flows', () => first.of('flowing').length === 1)
  await first.close()
  const before = engine.samples.length
  await pass(rig, 25)
  const second = await rig.node(newId('node'))
  t.deepEqual(await second.do('adopt', { callId, fence: 2 }), { hasLeg: true })
  await pass(rig, 25)
  await until('a slot each', () => engine.samples.length === before + SLOT * 50)
  t.is(engine.closed, null)
})

// [realtime.opus.7]
test('over a raw leg packets are decoded for the engine, and what it says is encoded', async (t) => {
  const rig = await startRig(t)
  const { callId, engine } = await flowing(rig, t)
  const bot = await rig.client(callId, 'codec=opus&prebufferMs=0')
  const opus = await loadOpus()
  const encoder = opus.openEncoder(16_000)
  const tone = toneSource(16_000, 800)
  for (let packet = 0; packet < 30; packet++)
    bot.socket.send(Buffer.concat([Buffer.alloc(4), encoder.encode(tone(SLOT))]))
  await rig.settled(bot)
  engine.samples.length = 0
  const said = toneSource(16_000, 500)
  for (let slot = 0; slot < 30; slot++) {
    engine.say(said(SLOT))
    await pass(rig, 1)
  }
  await until('all slots came', () => bot.frames.length >= 30 && engine.samples.length >= 30 * SLOT)
  t.is(dominantHz(Int16Array.from(engine.samples.slice(10 * SLOT, 25 * SLOT)), 16_000), 800)
  const decoder = await createDecoder({ channels: 1, sampleRate: 16_000, maxFrameSize: 1_920 })
  const heard = bot.frames.map((frame) => decoder.decode(frame.subarray(4)).slice())
  decoder.free()
  t.is(dominantHz(joined(heard.slice(15)), 16_000), 500)
})

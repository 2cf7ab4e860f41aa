import test from 'ava'
import { firstDifference } from '../../helpers/first-difference.ts'
import { MediaHostRig, newCall, ramp, ScriptedPlayable } from '../../helpers/media-host-rig.ts'
import { SessionClient } from '../../helpers/session-client.ts'
import { until } from '../../helpers/until.ts'

let rig: MediaHostRig

test.beforeEach(async () => {
  rig = await MediaHostRig.start()
})

test.afterEach.always(async () => {
  await rig.stop()
})

// [realtime.server-messages.1]
test.serial('start comes first and says what the session is', async (t) => {
  const callId = await rig.call('RINGING')
  const client = await rig.client(callId, 'inRate=8000&outRate=24000&frameMs=60')
  t.deepEqual(
    { ...client.messages[0], atMs: 0 },
    {
      atMs: 0,
      type: 'start',
      t: 0,
      protocol: 'pcm16.v1',
      callId,
      externalCallId: null,
      direction: 'OUTBOUND',
      peerNumber: '5511990000001',
      status: 'RINGING',
      mode: 'talk',
      inRate: 8_000,
      outRate: 24_000,
      frameMs: 60,
      limits: { maxMessageBytes: 65_536, highMs: 30_000, lowMs: 15_000, maxMs: 60_000 },
    },
  )
})

// [realtime.server-messages.1]
test.serial('over many connects on a running call start always precedes audio', async (t) => {
  const callId = await rig.call()
  const minted = await Promise.all(Array.from({ length: 60 }, () => rig.mint(callId)))
  const clients: SessionClient[] = []
  for (const { wsUrl } of minted) {
    const connecting = SessionClient.connect(wsUrl)
    rig.mediaClock.tick(2)
    const client = await connecting
    rig.mediaClock.tick(2)
    clients.push(client)
  }
  await until('all have something', () => clients.every((client) => client.first !== null))
  t.true(clients.every((client) => client.first === 'start'))
})

// [realtime.audio.2] [realtime.audio.3] [realtime.audio.1]
test.serial('no audio comes before the answer, then exactly rate samples a second in frames of frameMs', async (t) => {
  const callId = await rig.call('RINGING')
  const queries = ['rate=8000&frameMs=10', 'rate=16000&frameMs=20', 'rate=24000&frameMs=40', 'rate=48000&frameMs=60']
  const clients = await Promise.all(queries.map((query) => rig.client(callId, query, 'listen')))
  rig.mediaClock.tick(10)
  await rig.control.do('status', { callId, status: 'ACCEPTED' })
  rig.mediaClock.tick(300)
  for (const [i, rate] of [8_000, 16_000, 24_000, 48_000].entries()) {
    const client = clients[i]
    if (!client) return t.fail()
    await until('six seconds are there', () => client.samples >= rate * 6)
    t.is(client.samples, rate * 6)
    t.deepEqual(new Set(client.frameSizes), new Set([((rate * ([10, 20, 40, 60][i] ?? 0)) / 1_000) * 2]))
    t.true(
      client.audio().every((sample, at) => sample === at % 30_000),
      'the peer is heard without gap or repeat',
    )
  }
})

// [realtime.audio.3]
test.serial('late ticks lose no time: every missed slot is heard, and a long gap sends no burst', async (t) => {
  const callId = await rig.call()
  const client = await rig.client(callId)
  client.speak(ramp(16_000))
  await rig.settled(client)
  rig.mediaClock.tick(1, 3)
  t.is(rig.leg.sent.length, 3)
  rig.mediaClock.tick(1, 20)
  t.is(rig.leg.sent.length, 4)
  t.is(rig.leg.skipped, 19)
  await until('all slots are heard', () => client.samples >= 23 * 320)
  t.is(client.samples, 23 * 320)
  t.deepEqual(rig.leg.heard(), [...ramp(4 * 320)])
})

// [realtime.session.7] [realtime.audio.5]
test.serial('audio sent before the answer starts on the answer, in odd chunks and bit-exact', async (t) => {
  const callId = await rig.call('RINGING')
  const client = await rig.client(callId)
  const bytes = Buffer.from(ramp(3_200).buffer)
  for (let from = 0; from < bytes.length; from += 333) client.socket.send(bytes.subarray(from, from + 333))
  client.send({ type: 'mark', name: 'end' })
  await rig.settled(client)
  t.is(client.of('mark').length, 0)
  await rig.control.do('status', { callId, status: 'ACCEPTED' })
  rig.mediaClock.tick(10)
  t.deepEqual(rig.leg.heard(), [...ramp(3_200)])
  t.like(await client.until('mark'), { name: 'end', status: 'played', playedMs: 200 })
  t.like(await client.until('drained'), { playedMs: 200 })
})

test.serial('playout waits for media to flow, but not longer than a second after packets can be sent', async (t) => {
  const callId = await rig.call('RINGING')
  const client = await rig.client(callId)
  client.speak(ramp(3_200))
  await rig.settled(client)
  rig.leg.isFlowing = false
  await rig.control.do('status', { callId, status: 'ACCEPTED' })
  rig.mediaClock.tick(5)
  t.deepEqual(rig.leg.heard(), [])
  t.is(rig.leg.sent.length, 5)
  rig.clock.advance(1_000)
  rig.mediaClock.tick(10)
  t.deepEqual(rig.leg.heard(), [...ramp(3_200)])
})

test.serial('words said while the handshake of a busy machine takes seconds are not lost', async (t) => {
  const callId = await rig.call('RINGING')
  const client = await rig.client(callId)
  client.speak(ramp(3_200))
  await rig.settled(client)
  rig.leg.isFlowing = false
  rig.leg.isOpen = false
  await rig.control.do('status', { callId, status: 'ACCEPTED' })
  rig.mediaClock.tick(5)
  rig.clock.advance(3_000)
  rig.mediaClock.tick(10)
  t.deepEqual(rig.leg.heard(), [])
  rig.leg.isOpen = true
  rig.mediaClock.tick(10)
  t.deepEqual(rig.leg.heard(), [])
  rig.leg.isFlowing = true
  rig.mediaClock.tick(10)
  t.deepEqual(rig.leg.heard(), [...ramp(3_200)])
})

// [realtime.server-messages.4] [realtime.client-messages.1]
test.serial(
  'clear is answered with what was dropped, after the cleared marks, and nothing sent before is played',
  async (t) => {
    const callId = await rig.call()
    const client = await rig.client(callId)
    client.speak(ramp(32_000))
    client.send({ type: 'mark', name: 'a' })
    await rig.settled(client)
    rig.mediaClock.tick(10)
    client.send({ type: 'clear', id: 'c1' })
    client.speak(ramp(640, 40_000))
    await rig.settled(client)
    rig.mediaClock.tick(2)
    await client.until('drained')
    t.like(await client.until('cleared'), { id: 'c1', discardedMs: 1_800, playedMs: 200, marks: ['a'] })
    t.deepEqual(
      client.messages.map(({ type }) => type).filter((type) => type !== 'pong'),
      ['start', 'mark', 'cleared', 'drained'],
    )
    t.deepEqual(rig.leg.heard(), [...ramp(3_200), ...ramp(640, 40_000)])
  },
)

// [realtime.client-messages.3] [realtime.client-messages.6]
test.serial('pause, resume and mute act at once; mute lets the queue go on', async (t) => {
  const callId = await rig.call()
  const client = await rig.client(callId, 'prebufferMs=0')
  client.speak(ramp(3_200))
  client.send({ type: 'pause' })
  await rig.settled(client)
  rig.mediaClock.tick(5)
  t.is(rig.leg.heard().length, 0)
  client.send({ type: 'resume' })
  client.send({ type: 'mute', on: true })
  await rig.settled(client)
  rig.mediaClock.tick(2)
  client.send({ type: 'mute', on: false })
  await rig.settled(client)
  rig.mediaClock.tick(8)
  t.deepEqual(rig.leg.heard(), Array.from(ramp(3_200).subarray(640)))
})

// [realtime.server-messages.5]
test.serial('sixty seconds in one burst are taken, paced and told of; more is refused', async (t) => {
  const callId = await rig.call()
  const client = await rig.client(callId, 'rate=8000')
  client.speak(ramp(480_000), 65_536)
  t.like(await client.until('buffer'), { state: 'pause', droppedMs: 0 })
  await rig.settled(client)
  for (let i = 0; i < 5; i++) client.speak(ramp(8_000))
  await rig.settled(client)
  t.deepEqual(
    client.of('buffer').map(({ state }) => state),
    ['pause', 'full'],
  )
  t.like(client.of('buffer')[1], { queuedMs: 60_000, droppedMs: 1_000 })
  rig.mediaClock.tick(46 * 50)
  await client.until('buffer', ({ state }) => state === 'ok')
  rig.mediaClock.tick(14 * 50)
  t.is(firstDifference(rig.leg.heard(), ramp(480_000)), null)
  await client.until('drained')
})

// [realtime.closing.14]
test.serial('sending on for 30 s after full closes 4413', async (t) => {
  const callId = await rig.call('RINGING')
  const client = await rig.client(callId, 'rate=8000')
  client.speak(ramp(488_000), 16_000)
  await client.until('buffer', ({ state }) => state === 'full')
  rig.clock.advance(29_000)
  client.speak(ramp(8_000))
  await rig.settled(client)
  t.is(client.closed, null)
  rig.clock.advance(1_000)
  client.speak(ramp(8_000))
  t.is((await client.untilClosed()).code, 4413)
})

// [realtime.client-messages.5] [realtime.client-messages.12] [realtime.server-messages.7]
test.serial('digits go out in order with the audio, and those of the peer are told', async (t) => {
  const callId = await rig.call()
  const client = await rig.client(callId, 'prebufferMs=0')
  client.speak(ramp(320))
  client.send({ type: 'dtmf', digits: '42#' })
  await rig.settled(client)
  rig.mediaClock.tick(1)
  t.deepEqual(rig.leg.digits, [])
  rig.mediaClock.tick(1)
  t.deepEqual(rig.leg.digits, ['42#'])
  rig.leg.isSendingDigits = true
  client.speak(ramp(320))
  await rig.settled(client)
  rig.mediaClock.tick(3)
  t.is(rig.leg.heard().length, 320)
  rig.leg.isSendingDigits = false
  rig.mediaClock.tick(1)
  t.is(rig.leg.heard().length, 640)
  rig.leg.events.digit('5', 120)
  t.like(await client.until('dtmf'), { digit: '5', durationMs: 120 })
  rig.leg.takesDigits = false
  client.send({ type: 'dtmf', digits: '1' })
  await rig.settled(client)
  rig.mediaClock.tick(1)
  t.like(await client.until('warning'), { code: 'DTMF_UNAVAILABLE' })
})

// [realtime.client-messages.7] [realtime.client-messages.8] [realtime.client-messages.10]
// [realtime.client-messages.11]
// [realtime.server-messages.2] [realtime.server-messages.9] [realtime.server-messages.10] [realtime.closing.3]
test.serial('stats, ping, hangup and accept do as named', async (t) => {
  const call = newCall('INBOUND', 'RINGING')
  await rig.control.do('announce', { call })
  const client = await rig.client(call.callId, 'stats=5')
  client.send({ type: 'ping', id: 'p' })
  client.send({ type: 'accept' })
  await client.until('pong', ({ id }) => id === 'p')
  await until('the node is told', () => rig.control.of('accept').length === 1)
  await rig.control.do('answer', { call, sdpOffer: 'v=0' })
  await rig.control.do('status', { callId: call.callId, status: 'ACCEPTED' })
  client.send({ type: 'accept' })
  t.like(await client.until('warning'), { code: 'CALL_NOT_RINGING' })
  client.send({ type: 'stats' })
  t.like(await client.until('stats'), {
    rttMs: 12,
    jitterMs: 3,
    lost: 1,
    concealedMs: 20,
    fecRecovered: 0,
    queuedMs: 0,
    underruns: 0,
    driftPpm: null,
    trimmedMs: 0,
    receivedFrames: 7,
    tickLateP99Ms: 0,
  })
  rig.clock.advance(5_000)
  await until('stats come by themselves', () => client.of('stats').length === 2)
  client.speak(ramp(320))
  client.send({ type: 'hangup', reason: 'bye' })
  await rig.settled(client)
  t.is(rig.control.of('hangup').length, 0)
  rig.mediaClock.tick(5)
  await until('the node is told to hang up', () => rig.control.of('hangup').length === 1)
  t.deepEqual(rig.control.of('hangup')[0], { type: 'hangup', callId: call.callId, reason: 'bye' })
  await rig.control.do('close', { callId: call.callId, status: 'COMPLETED', durationSeconds: 3 })
  t.is((await client.untilClosed()).code, 1000)
  t.deepEqual(
    client.messages.slice(-2).map(({ type }) => type),
    ['call', 'stats'],
  )
  t.like(client.of('call').at(-1), { status: 'COMPLETED', durationSeconds: 3 })
  t.true(rig.leg.isClosed)
})

// [realtime.client-messages.9] [realtime.client-messages.15] [realtime.server-messages.8]
test.serial('files asked for by the socket share the queue and are told to socket and node', async (t) => {
  const callId = await rig.call()
  const client = await rig.client(callId, 'prebufferMs=0')
  rig.playables.files.set('http://files/a', new ScriptedPlayable(3))
  client.send({ type: 'play', mediaUrl: 'http://files/a' })
  client.speak(ramp(320))
  await client.until('play', ({ status }) => status === 'queued')
  await rig.settled(client)
  rig.mediaClock.tick(4)
  t.deepEqual(
    rig.leg.sent.map(({ kind }) => kind),
    ['opus', 'opus', 'opus', 'pcm'],
  )
  await client.until('play', ({ status }) => status === 'finished')
  t.deepEqual(
    client.of('play').map(({ status }) => status),
    ['queued', 'started', 'finished'],
  )
  t.regex(client.of('play')[0].mediaUrlHash, /^[\da-f]{64}$/)
  await until('the node knows', () => rig.control.of('playback').length === 3)
  t.deepEqual(
    rig.control.of('playback').map(({ status }) => status),
    ['QUEUED', 'PLAYING', 'FINISHED'],
  )
  t.like(rig.control.of('playback')[2], { callId, mediaUrl: 'http://files/a', hangupAfterPlay: false })
})

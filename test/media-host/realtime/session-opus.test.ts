import test from 'ava'
import { MediaHostRig, ScriptedPlayable } from '../../helpers/media-host-rig.ts'
import { mostShareOf } from '../../../media-host/legs/call-work.ts'
import { until } from '../../helpers/until.ts'

let rig: MediaHostRig

test.beforeEach(async () => {
  rig = await MediaHostRig.start()
})

test.afterEach.always(async () => {
  await rig.stop()
})

/** A packet of the peer with this number as its content. */
const heard = (n: number, missing = 0) => ({ payload: Uint8Array.of(72, n), missing, isDtx: false })

// [realtime.opus.1] [realtime.opus.2] [realtime.opus.3] [realtime.opus.5]
test.serial('a listener takes packets as they are, beside one that takes samples', async (t) => {
  const callId = await rig.call('RINGING')
  const opus = await rig.client(callId, 'codec=opus', 'listen')
  const pcm = await rig.client(callId, 'rate=8000', 'listen')
  t.like(opus.of('start')[0], { codec: 'opus', inRate: 48_000, outRate: 48_000 })
  t.false('codec' in pcm.of('start')[0])
  await rig.control.do('status', { callId, status: 'ACCEPTED' })
  rig.leg.says.push([heard(1)], [], [heard(2, 1), heard(3)])
  rig.mediaClock.tick(3)
  await until('both heard it', () => opus.frames.length === 3 && pcm.samples === 480)
  t.deepEqual(
    opus.frames.map((frame) => [...frame]),
    [
      [0, 0, 0, 0, 72, 1],
      [1, 0, 0, 2, 72, 2],
      [0, 0, 0, 3, 72, 3],
    ],
  )
})

test.serial('a call counts as one of packets while nobody takes samples of a leg that has packets', async (t) => {
  const callId = await rig.call()
  const most = () => rig.mediaClock.weights().old
  rig.leg.packets = { sent: null, heard: () => ({ source: rig, leadBefore: 0, steps: [] }) }
  t.is(most(), mostShareOf('unknown'))
  await rig.client(callId, 'codec=opus')
  t.is(most(), mostShareOf('packets'))
  const listener = await rig.client(callId, 'rate=8000', 'listen')
  t.is(most(), mostShareOf('coded'))
  listener.socket.close()
  await until('the listener has left', () => most() === mostShareOf('packets'))
  rig.leg.packets = null
  t.is(most(), mostShareOf('coded'), 'raw audio is coded for packets')
})

// [realtime.opus.4]
test.serial('packets of a talker go to the peer as they are, in order with marks, files and clear', async (t) => {
  const callId = await rig.call()
  const bot = await rig.client(callId, 'codec=opus&prebufferMs=0')
  const say = (...packet: number[]) => bot.socket.send(Uint8Array.of(0, 0, 0, 0, ...packet))
  rig.playables.files.set('http://files/a', new ScriptedPlayable(1))
  say(72, 1)
  say(88, 2)
  bot.send({ type: 'mark', name: 'said' })
  bot.send({ type: 'play', mediaUrl: 'http://files/a' })
  say(72, 3)
  await bot.until('play', ({ status }) => status === 'queued')
  await rig.settled(bot)
  rig.mediaClock.tick(5)
  await bot.until('mark', ({ status, playedMs }) => status === 'played' && playedMs === 80)
  t.deepEqual(
    rig.leg.sent.map((frame) => (frame.kind === 'opus' ? [...frame.packet] : frame.kind)),
    [[72, 1], [88, 2], 'held', 'held', [0]],
  )
  bot.send({ type: 'clear' })
  t.like(await bot.until('cleared'), { discardedMs: 20, playedMs: 100 })
  rig.mediaClock.tick()
  t.is(rig.leg.sent.at(-1)?.kind, 'silence')
})

// [realtime.opus.4]
test.serial('what is muted within a packet of 60 ms is silent to its end', async (t) => {
  const bot = await rig.client(await rig.call(), 'codec=opus&prebufferMs=0')
  for (let packet = 0; packet < 2; packet++) bot.socket.send(Uint8Array.of(0, 0, 0, 0, 88, packet))
  await rig.settled(bot)
  rig.mediaClock.tick(1)
  for (const on of [true, false]) {
    bot.send({ type: 'mute', on })
    await rig.settled(bot)
    rig.mediaClock.tick(3)
  }
  t.deepEqual(
    rig.leg.sent.map(({ kind }) => kind),
    ['opus', 'held', 'held', 'silence', 'silence', 'silence', 'silence'],
  )
})

// [realtime.opus.4]
test.serial('a message without a packet of 20 to 60 ms closes 1003 and says why', async (t) => {
  const callId = await rig.call()
  for (const [message, problem] of [
    [[0, 0, 0, 0, 64, 1], 'an Opus packet must last 20, 40 or 60 ms, and not 10'],
    [[0, 0, 0, 0], 'a message must hold an Opus packet behind 4 bytes'],
  ] as const) {
    const bot = await rig.client(callId, 'codec=opus')
    bot.socket.send(Uint8Array.from(message))
    t.deepEqual(await bot.untilClosed(), { code: 1003, reason: 'BAD_FRAME' })
    t.like(bot.messages.at(-1), { type: 'error', code: 'BAD_FRAME', message: problem, fatal: true })
  }
})

// [realtime.opus.3]
test.serial('while there is no leg, empty packets fill the time', async (t) => {
  const callId = await rig.call()
  const bot = await rig.client(callId, 'codec=opus')
  rig.leg.events.lost('ICE_FAILED')
  rig.mediaClock.tick(2)
  await until('both slots came', () => bot.frames.length === 2)
  t.deepEqual(
    bot.frames.map((frame) => [...frame]),
    [
      [2, 0, 0, 0, 72],
      [2, 0, 0, 1, 72],
    ],
  )
})

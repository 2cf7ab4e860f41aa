import test from 'ava'
import { newId } from '../../../src/domain/ids.ts'
import { firstDifference } from '../../helpers/first-difference.ts'
import { MediaHostRig, ramp, ScriptedPlayable } from '../../helpers/media-host-rig.ts'
import { SessionClient } from '../../helpers/session-client.ts'
import { until } from '../../helpers/until.ts'

let rig: MediaHostRig

test.beforeEach(async () => {
  rig = await MediaHostRig.start()
})

test.afterEach.always(async () => {
  await rig.stop()
})

// [realtime.session.8] [realtime.closing.12]
test.serial('a newer talker replaces the older and takes its queue over', async (t) => {
  const callId = await rig.call('RINGING')
  const first = await rig.client(callId)
  first.speak(ramp(1_600))
  first.send({ type: 'mark', name: 'said' })
  first.send({ type: 'pause' })
  await rig.settled(first)
  const second = await rig.client(callId, 'onDisconnect=hangup')
  t.deepEqual(await first.untilClosed(), { code: 4409, reason: 'REPLACED' })
  await rig.control.do('status', { callId, status: 'ACCEPTED' })
  rig.mediaClock.tick(5)
  t.deepEqual(rig.leg.heard(), [...ramp(1_600)])
  t.like(await second.until('mark'), { name: 'said', status: 'played' })
})

// [realtime.session.8] [realtime.refusals.4]
test.serial('four listeners hear and may not speak; a fifth is refused and keeps its token', async (t) => {
  const callId = await rig.call()
  const listeners: SessionClient[] = []
  for (let i = 0; i < 4; i++) listeners.push(await rig.client(callId, '', 'listen'))
  const { wsUrl } = await rig.mint(callId, 'listen')
  const fifth = await SessionClient.attempt(wsUrl)
  t.is(fifth.status, 503)
  t.true(fifth.body.includes('MEDIA_CAPACITY'))
  const [listener] = listeners
  if (!listener) return t.fail()
  listener.speak(ramp(3_200))
  listener.send({ type: 'clear' })
  await rig.settled(listener)
  rig.mediaClock.tick(5)
  t.deepEqual(rig.leg.heard(), [])
  t.like(await listener.until('warning'), { code: 'LISTENER' })
  await until('all listeners hear', () => listeners.every((one) => one.samples === 1_600))
  listener.close()
  await listener.untilClosed()
  await until('there is room', async () => (await SessionClient.attempt(wsUrl)).status === 101)
  t.is(rig.control.of('hangup').length, 0)
})

// [realtime.query.6]
test.serial('a talker that leaves is waited for 30 s with its queue', async (t) => {
  const callId = await rig.call('RINGING')
  const first = await rig.client(callId)
  first.speak(ramp(1_600))
  await rig.settled(first)
  first.close()
  await first.untilClosed()
  const second = await rig.client(callId)
  second.speak(ramp(1_600, 1_600))
  await rig.settled(second)
  second.socket.terminate()
  await second.untilClosed()
  await until('the host knows', async () => (await health()).sessions === 0)
  rig.clock.advance(29_999)
  const third = await rig.client(callId)
  third.send({ type: 'stats' })
  t.is((await third.until('stats')).queuedMs, 200)
  third.close()
  await until('the host knows', async () => (await health()).sessions === 0)
  rig.clock.advance(30_000)
  const fourth = await rig.client(callId)
  fourth.send({ type: 'stats' })
  t.is((await fourth.until('stats')).queuedMs, 0)
  t.is(rig.control.of('hangup').length, 0)
})

// [realtime.query.6]
test.serial('onDisconnect=hangup ends the call when its client leaves', async (t) => {
  const callId = await rig.call()
  const client = await rig.client(callId, 'onDisconnect=hangup')
  client.close()
  await until('the node is told', () => rig.control.of('hangup').length === 1)
  t.is(rig.control.of('hangup')[0].reason, 'CLIENT_DISCONNECTED')
})

test.serial('onDisconnect=hangup plays what is queued before it hangs up, and nothing after clear', async (t) => {
  const client = await rig.client(await rig.call(), 'onDisconnect=hangup&prebufferMs=0')
  client.speak(ramp(16_000))
  client.close()
  await until('the host knows', async () => (await health()).sessions === 0)
  rig.mediaClock.tick(49)
  await rig.control.do('revoke', { by: 'nobody' })
  t.is(rig.control.of('hangup').length, 0)
  rig.mediaClock.tick(2)
  await until('the node is told', () => rig.control.of('hangup').length === 1)
  t.is(firstDifference(rig.leg.heard(), ramp(16_000)), null)
  for (let i = 0; i < 2; i++) {
    rig.clock.advance(31_000)
    await rig.control.do('revoke', { by: 'nobody' })
  }
  t.is(rig.control.of('hangup').length, 1)
  const second = await rig.client(await rig.call(), 'onDisconnect=hangup')
  second.speak(ramp(16_000))
  second.send({ type: 'clear' })
  second.close()
  await until('the node is told', () => rig.control.of('hangup').length === 2)
  t.deepEqual(rig.leg.heard(), [])
})

test.serial('last words are played for 60 s at most', async (t) => {
  const callId = await rig.call()
  const file = new ScriptedPlayable(6_000)
  rig.playables.files.set('https://x/long', file)
  await rig.control.do('play', {
    callId,
    playbackId: newId('play'),
    mediaUrl: 'https://x/long',
    hangupAfterPlay: false,
  })
  const client = await rig.client(callId, 'onDisconnect=hangup')
  client.close()
  await until('the host knows', async () => (await health()).sessions === 0)
  rig.mediaClock.tick(50 * 59)
  rig.clock.advance(59_000)
  await rig.control.do('revoke', { by: 'nobody' })
  t.is(rig.control.of('hangup').length, 0)
  rig.clock.advance(1_000)
  await until('the node is told', () => rig.control.of('hangup').length === 1)
  t.is(rig.control.of('hangup')[0].reason, 'CLIENT_DISCONNECTED')
})

// [realtime.query.6]
test.serial('onDisconnect=grace hangs up when no new session came within 30 s', async (t) => {
  const callId = await rig.call()
  const leave = async () => {
    const client = await rig.client(callId, 'onDisconnect=grace')
    client.close()
    await until('the host knows', async () => (await health()).sessions === 0)
  }
  await leave()
  rig.clock.advance(29_000)
  await leave()
  rig.clock.advance(29_000)
  await rig.control.do('revoke', { by: 'nobody' })
  t.is(rig.control.of('hangup').length, 0)
  rig.clock.advance(1_000)
  await until('the node is told', () => rig.control.of('hangup').length === 1)
})

test.serial(
  'onDisconnect=hangup ends the call when its client is closed for what it sends, not when it is replaced',
  async (t) => {
    const callId = await rig.call()
    const first = await rig.client(callId, 'onDisconnect=hangup')
    const second = await rig.client(callId, 'onDisconnect=hangup')
    await first.untilClosed()
    await rig.settled(second)
    await rig.mint(callId)
    t.is(rig.control.of('hangup').length, 0)
    second.socket.send('no json')
    t.is((await second.untilClosed()).code, 1007)
    await until('the node is told', () => rig.control.of('hangup').length === 1)
  },
)

// [realtime.closing.13] [realtime.server-messages.2]
test.serial('a call that ends otherwise than COMPLETED closes 4410 after its last word', async (t) => {
  const callId = await rig.call('RINGING')
  const client = await rig.client(callId)
  await rig.control.do('close', { callId, status: 'REJECTED', reason: 'declined' })
  t.is((await client.untilClosed()).code, 4410)
  t.like(client.messages.at(-1), { type: 'call', status: 'REJECTED', reason: 'declined' })
})

async function health(): Promise<{ calls: number; sessions: number }> {
  return (await fetch(`http://127.0.0.1:${rig.host.controlPort}/health`)).json() as Promise<{
    calls: number
    sessions: number
  }>
}

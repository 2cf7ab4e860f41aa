import test from 'ava'
import { MediaHostRig, newCall } from '../../helpers/media-host-rig.ts'
import { until } from '../../helpers/until.ts'
import { voiceSource } from '../../helpers/audio-signal.ts'
import { Engine, pass } from '../legs/raw-engine.ts'
import type { ExecutionContext } from 'ava'

/** An answered call with an engine that says what the test says. */
async function talking(t: ExecutionContext) {
  const rig = await MediaHostRig.start()
  t.teardown(() => rig.stop())
  const call = newCall()
  const { callId } = call
  const { sdp } = await rig.control.do('offer', { call, kind: 'pcm16' })
  await rig.control.do('connect', { callId, sdpAnswer: JSON.stringify({ kind: 'pcm16', rateHz: 16_000 }) })
  await rig.control.do('status', { callId, status: 'ACCEPTED' })
  const engine = await Engine.connect(JSON.parse(sdp))
  t.teardown(() => engine.socket.terminate())
  return { rig, callId, engine }
}

// [realtime.speech.1] [realtime.speech.3] [realtime.server-messages.12]
test('who asked for it is told when the peer speaks, with samples or with packets, and nothing else happens', async (t) => {
  const { rig, callId, engine } = await talking(t)
  const opus = await rig.client(callId, 'codec=opus&speech=on', 'listen')
  const voice = voiceSource(16_000)
  const say = async (slots: number, next: () => Int16Array) => {
    for (let slot = 0; slot < slots; slot++) {
      engine.say(next())
      await pass(rig, 1)
    }
  }
  await say(20, () => new Int16Array(320))
  await say(40, () => voice(320))
  await opus.until('speech', ({ state }) => state === 'started')
  await say(60, () => new Int16Array(320))
  await opus.until('speech', ({ state }) => state === 'stopped')
  const pcm = await rig.client(callId, 'rate=24000&speech=on')
  const plain = await rig.client(callId, '', 'listen')
  await say(40, () => voice(320))
  const started = await pcm.until('speech')
  await until('the listener is told too', () => opus.of('speech').length === 3)
  t.deepEqual(
    opus.of('speech').map(({ state }) => state),
    ['started', 'stopped', 'started'],
  )
  const [first, stopped] = opus.of('speech')
  t.true(first.atMs >= 380 && first.atMs <= 700, String(first.atMs))
  t.true(stopped.atMs >= 1_180 && stopped.atMs <= 1_700, String(stopped.atMs))
  t.true(started.atMs <= started.t)
  t.deepEqual(plain.of('speech'), [])
  t.deepEqual(rig.control.of('hangup'), [])
})

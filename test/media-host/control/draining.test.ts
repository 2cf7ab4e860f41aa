import { setImmediate as nextTurn } from 'node:timers/promises'
import test from 'ava'
import { MediaHostRig, newCall } from '../../helpers/media-host-rig.ts'
import { SessionClient } from '../../helpers/session-client.ts'
import { until } from '../../helpers/until.ts'
import type { ExecutionContext } from 'ava'

async function startRig(t: ExecutionContext): Promise<MediaHostRig> {
  const rig = await MediaHostRig.start()
  t.teardown(() => rig.stop())
  return rig
}

test('a host that drains refuses calls it does not know, announced ones too, and goes on with those it has', async (t) => {
  const rig = await startRig(t)
  const [live, ringing] = [newCall(), newCall()]
  await rig.control.do('offer', { call: live })
  await rig.control.do('announce', { call: ringing })
  t.deepEqual(rig.host.load(), { calls: 2, tickLateP99Ms: 0, draining: false })
  const drained = rig.host.drain()
  for (const op of ['offer', 'announce'])
    t.like(await rig.control.ask(op, { call: newCall() }), {
      ok: false,
      error: { code: 'MEDIA_CAPACITY', retryAfterSeconds: 5 },
    })
  t.like(await rig.control.ask('answer', { call: newCall(), sdpOffer: 'v=0' }), {
    ok: false,
    error: { code: 'MEDIA_CAPACITY' },
  })
  t.true((await rig.control.ask('answer', { call: ringing, sdpOffer: 'v=0' })).ok, 'its phone rang before')
  const minted = await rig.control.do('mint', { callId: live.callId, mode: 'talk' })
  const bot = await SessionClient.connect(minted.wsUrl)
  t.like(rig.host.load(), { calls: 2, draining: true })

  let isDrained = false
  void drained.then(() => {
    isDrained = true
  })
  await rig.control.do('close', { callId: live.callId, status: 'COMPLETED' })
  rig.clock.advance(1_000)
  t.is((await bot.untilClosed()).code, 1000)
  t.false(isDrained)
  await rig.control.do('close', { callId: ringing.callId, status: 'COMPLETED' })
  rig.clock.advance(1_000)
  await drained
  t.like(rig.host.load(), { calls: 0 })
})

// [media-hosts.sigterm.2]
test('a host that drained stays until its recordings are fetched, but not for long', async (t) => {
  const rig = await startRig(t)
  const calls = [newCall(), newCall()].map((call) => ({ ...call, record: true }))
  for (const call of calls) {
    await rig.control.do('offer', { call })
    await rig.control.do('status', { callId: call.callId, status: 'ACCEPTED' })
  }
  rig.mediaClock.tick(100)
  let isDrained = false
  const drained = rig.host.drain().then(() => {
    isDrained = true
  })
  for (const { callId } of calls) await rig.control.do('close', { callId, status: 'COMPLETED' })
  rig.clock.advance(10_000)
  await nextTurn()
  t.false(isDrained)
  const [first] = calls
  await until('the file is closed', async () => (await rig.control.ask('recording', first ?? {})).ok)
  await rig.control.do('dropRecording', first ?? {})
  rig.clock.advance(9_000)
  await nextTurn()
  t.false(isDrained)
  rig.clock.advance(2_000)
  await drained
})

test('a host without calls has drained at once', async (t) => {
  const rig = await startRig(t)
  await rig.host.drain()
  t.pass()
})

// [media-hosts.sigterm.2]
test('sessions that are still open when a host ends are closed with 1001', async (t) => {
  const rig = await startRig(t)
  const call = newCall()
  await rig.control.do('offer', { call })
  const bot = await SessionClient.connect((await rig.control.do('mint', { callId: call.callId, mode: 'talk' })).wsUrl)
  void rig.host.drain()
  const closing = rig.host.close()
  t.is((await bot.untilClosed()).code, 1001)
  rig.clock.advance(1_000)
  await closing
})

import test from 'ava'
import { HOST_GONE_MS } from '../../src/media/host-link.ts'
import { createMediaClient } from '../../src/media/media-client.ts'
import { systemClock } from '../../src/process/clock.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'
import { ScriptedHost, mediaCall, mediaProbe } from './scripted-host.ts'

test('events are told once, in order, and acknowledged', async (t) => {
  const { client, host, told } = await mediaProbe(t)
  const { callId } = mediaCall()
  await client.offer(mediaCall({ callId }))
  host.send({ n: 1, ev: { type: 'flowing', callId } })
  host.send({
    n: 2,
    ev: {
      type: 'playback',
      callId,
      playbackId: 'play_1',
      mediaUrl: 'http://a',
      hangupAfterPlay: false,
      status: 'FAILED',
      error: 'gone',
    },
  })
  host.send({ n: 2, ev: { type: 'flowing', callId } })
  host.send({ n: 3, ev: { type: 'weather', callId } })
  host.send({ n: 4, ev: { type: 'hangup', callId, reason: null } })
  await until('all are acknowledged', () => host.acks.includes(4))
  t.deepEqual(told, [
    { type: 'flowing', callId },
    {
      type: 'playback',
      callId,
      playbackId: 'play_1',
      mediaUrl: 'http://a',
      hangupAfterPlay: false,
      status: 'FAILED',
      error: 'gone',
    },
    { type: 'hangup', callId, reason: null },
  ])
  host.drop()
  await until('it synchronised again', () => host.opsOf('sync').length === 2)
  host.send({ n: 4, ev: { type: 'hangup', callId, reason: null } })
  host.send({ n: 5, ev: { type: 'accept', callId } })
  await until('the new one is acknowledged', () => host.acks.includes(5))
  t.deepEqual(told.slice(3), [{ type: 'accept', callId }])
})

test('events sent before the answer to sync wait for it', async (t) => {
  const { client, host, told } = await mediaProbe(t)
  const { callId } = mediaCall()
  await client.offer(mediaCall({ callId }))
  host.send({ n: 1, ev: { type: 'flowing', callId } })
  await until('told', () => told.length === 1)
  // The host has restarted: it counts from one again and is early.
  host.hostId = 'host-2'
  host.onRequest = ({ op }) => {
    if (op === 'sync') host.send({ n: 1, ev: { type: 'accept', callId } })
    return undefined
  }
  host.drop()
  await until('the early one is told', () => told.some((event) => event.type === 'accept'))
  t.deepEqual(
    told.map((event) => event.type),
    ['flowing', 'lost', 'accept'],
  )
})

test('a host that came back as another has lost its calls; calls that only rang are announced again', async (t) => {
  const { client, host, told } = await mediaProbe(t)
  const live = mediaCall()
  const ringing = mediaCall({ direction: 'INBOUND', status: 'RINGING' })
  await client.offer(live)
  await client.announce(ringing)
  host.hostId = 'host-2'
  host.drop()
  await until('the loss is told', () => told.length > 0)
  t.deepEqual(told, [{ type: 'lost', callId: live.callId, reason: 'HOST_RESTARTED' }])
  await until('announced again', () => host.opsOf('announce').length === 2)
  t.like(await client.mint(live.callId, 'talk', 'key_1'), { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
  t.true((await client.mint(ringing.callId, 'talk', 'key_1')).ok)
})

test('a call the host does not name in its sync is lost, the others stay', async (t) => {
  const { client, host, told } = await mediaProbe(t)
  const [kept, gone] = [mediaCall(), mediaCall()]
  await client.offer(kept)
  await client.offer(gone)
  host.held = [kept.callId]
  host.drop()
  await until('the loss is told', () => told.length > 0)
  t.deepEqual(told, [{ type: 'lost', callId: gone.callId, reason: 'LEG_UNKNOWN' }])
  t.true((await client.mint(kept.callId, 'talk', 'key_1')).ok)
})

test('a host that stays away loses its calls, one that returns in time does not', async (t) => {
  const clock = new FakeClock()
  const { client, host, told } = await mediaProbe(t, 1, clock)
  const call = mediaCall()
  await client.offer(call)
  host.drop()
  await until('gone', () => !client.isAvailable())
  await until('back', () => {
    clock.advance(20)
    return client.isAvailable()
  })
  clock.advance(HOST_GONE_MS * 2)
  t.deepEqual(told, [])
  await host.close()
  await until('gone', () => !client.isAvailable())
  clock.advance(HOST_GONE_MS - 1)
  t.deepEqual(told, [])
  clock.advance(1)
  t.deepEqual(told, [{ type: 'lost', callId: call.callId, reason: 'HOST_GONE' }])
})

test('the time a host is missed begins anew after a stall: nobody looked for it meanwhile', async (t) => {
  const clock = new FakeClock()
  const { client, host, told } = await mediaProbe(t, 1, clock)
  const call = mediaCall()
  await client.offer(call)
  await host.close()
  await until('gone', () => !client.isAvailable())
  clock.stall(HOST_GONE_MS * 10)
  t.deepEqual(told, [])
  clock.advance(HOST_GONE_MS - 1)
  t.deepEqual(told, [])
  clock.advance(1)
  t.deepEqual(told, [{ type: 'lost', callId: call.callId, reason: 'HOST_GONE' }])
})

test('a listener that throws keeps neither the others nor the acknowledgement', async (t) => {
  const host = await ScriptedHost.start()
  const client = createMediaClient({
    hosts: [host.address],
    internalSecret: 's',
    nodeId: 'node_1',
    clock: systemClock,
    log: silentLog,
    metrics: noMetrics,
  })
  t.teardown(async () => {
    client.stop()
    await host.close()
  })
  const told: unknown[] = []
  client.onEvent(() => {
    throw new Error('listener')
  })
  client.onEvent((event) => void told.push(event))
  await until('available', () => client.isAvailable())
  host.send({ n: 1, ev: { type: 'accept', callId: 'call_1' } })
  await until('acknowledged', () => host.acks.includes(1))
  t.is(told.length, 1)
})

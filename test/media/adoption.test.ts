import test from 'ava'
import { createMediaClient } from '../../src/media/media-client.ts'
import { HOST_GONE_MS } from '../../src/media/host-link.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'
import { mediaCall, mediaProbe, ScriptedHost } from './scripted-host.ts'

const UNAVAILABLE = { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } }

test('a call is adopted at the host that its row names, with its fence; what is asked of it goes there', async (t) => {
  const { client, hosts, gauges } = await mediaProbe(t, 2)
  await until('both are in step', () => gauges.get('media_hosts_connected') === 2)
  const [, other] = hosts
  if (other) other.hostId = 'host-2'
  other?.drop()
  await until(
    'it has started anew',
    () => other?.opsOf('sync').length === 2 && client.listHosts().some(({ hostId }) => hostId === 'host-2'),
  )
  for (const [i, host] of hosts.entries())
    host.onRequest = ({ op }) => (op === 'adopt' ? { value: { hasLeg: i === 1 } } : undefined)
  const call = mediaCall({ fence: 4 })
  t.deepEqual(await client.adopt(call, 'host-2'), { ok: true, value: { hasLeg: true } })
  t.deepEqual(
    hosts.map((host) => host.opsOf('adopt').map(({ callId, fence }) => [callId, fence])),
    [[], [[call.callId, 4]]],
  )
  await client.play(call.callId, 'play_1', 'http://a', false)
  t.like(hosts[1]?.opsOf('play')[0], { fence: 4 })
  client.close(call.callId, { status: 'COMPLETED' })
  await until('closed', () => hosts[1]?.opsOf('close').length === 1)
  t.like(hosts[1]?.opsOf('close')[0], { fence: 4 })
})

test('a host that is not there is waited for as long as one that breaks away, then the call is lost', async (t) => {
  const clock = new FakeClock()
  const { client, gauges } = await mediaProbe(t, 1, clock)
  await until('it is in step', () => gauges.get('media_hosts_connected') === 1)
  const call = mediaCall({ fence: 4 })
  let outcome: unknown = null
  void client.adopt(call, 'host-gone').then((adopted) => {
    outcome = adopted
  })
  clock.advance(HOST_GONE_MS - 1)
  await new Promise(setImmediate)
  t.is(outcome, null)
  clock.advance(1)
  await until('it is given up', () => outcome)
  t.like(outcome, UNAVAILABLE)
  t.like(await client.play(call.callId, 'play_1', 'http://a', false), UNAVAILABLE)
})

test('a call whose row names no host is adopted at whichever knows it', async (t) => {
  const { client, hosts, gauges } = await mediaProbe(t, 3)
  await until('all are in step', () => gauges.get('media_hosts_connected') === 3)
  for (const [i, host] of hosts.entries()) {
    host.onRequest = ({ op }) =>
      op === 'adopt'
        ? i === 2
          ? { value: { hasLeg: false } }
          : { error: { code: 'CALL_NOT_FOUND', message: 'no' } }
        : undefined
  }
  const call = mediaCall({ fence: 1 })
  t.deepEqual(await client.adopt(call, null), { ok: true, value: { hasLeg: false } })
  await client.mint(call.callId, 'talk', 'key_1')
  t.deepEqual(
    hosts.map((host) => host.opsOf('mint').length),
    [0, 0, 1],
  )
})

test('a call that is left is left at its host, where hosts outlive the node, and named by no sync; elsewhere it is closed', async (t) => {
  for (const outlives of [true, false]) {
    const host = await ScriptedHost.start()
    const client = createMediaClient({
      hosts: [host.address],
      outlives,
      internalSecret: 's',
      nodeId: 'node_1',
      clock: new FakeClock(),
      log: silentLog,
      metrics: noMetrics,
    })
    t.teardown(async () => {
      client.stop()
      await host.close()
    })
    const call = mediaCall({ fence: 2 })
    const opened = await client.offer(call)
    t.is(opened.ok && opened.value.host, outlives ? host.hostId : undefined)
    client.leave(call.callId)
    client.leave(call.callId)
    const op = outlives ? 'leave' : 'close'
    await until('the host is told', () => host.opsOf(op).length === 1)
    t.like(host.opsOf(op)[0], { callId: call.callId, fence: 2 })
    t.is(host.opsOf(outlives ? 'close' : 'leave').length, 0)
  }
})

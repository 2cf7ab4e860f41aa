import test from 'ava'
import { createMediaClient } from '../../src/media/media-client.ts'
import type { MediaClient } from '../../src/media/media-client.ts'
import type { MediaHostEntry } from '../../src/ports/media-register.ts'
import type { MediaEvent } from '../../src/ports/media.ts'
import { mediaHostEntry } from '../contracts/register.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'
import { ScriptedHost, mediaCall } from './scripted-host.ts'
import type { ExecutionContext } from 'ava'

interface World {
  readonly client: MediaClient
  readonly hosts: readonly ScriptedHost[]
  readonly told: readonly MediaEvent[]
  /** The register entry of the host with this index. */
  entry(index: number, fields?: Partial<MediaHostEntry>): MediaHostEntry
  /** Waits until register and client have this many hosts. */
  connected(count: number): Promise<unknown>
}

async function world(t: ExecutionContext, count: number): Promise<World> {
  const hosts = await Promise.all(Array.from({ length: count }, () => ScriptedHost.start()))
  hosts.forEach((host, index) => {
    host.hostId = `host-${index}`
  })
  const client = createMediaClient({
    hosts: [],
    areHostsRegistered: true,
    internalSecret: 'secret',
    nodeId: 'node_1',
    clock: new FakeClock(),
    log: silentLog,
    metrics: noMetrics,
    random: () => 0,
    tuning: { backoffMinMs: 2, backoffMaxMs: 20 },
  })
  const told: MediaEvent[] = []
  client.onEvent((event) => void told.push(event))
  t.teardown(async () => {
    client.stop()
    await Promise.all(hosts.map((host) => host.close()))
  })
  return {
    client,
    hosts,
    told,
    entry: (index, fields) =>
      mediaHostEntry({
        hostId: `host-${index}`,
        controlUrl: hosts[index]?.address.controlUrl ?? '',
        calls: 0,
        ...fields,
      }),
    connected: (wanted) =>
      until('the hosts are in step', () => client.listHosts().filter((host) => host.isConnected).length === wanted),
  }
}

function offersOf(hosts: readonly ScriptedHost[]): number[] {
  return hosts.map((host) => host.opsOf('offer').length)
}

test('a call that comes before the register was read waits for the first host', async (t) => {
  const { client, entry } = await world(t, 1)
  const offered = client.offer(mediaCall())
  client.useRegistered([entry(0)], false)
  t.true((await offered).ok)
})

test('calls go to the host with the fewest calls of all gateways, including those placed since its last report', async (t) => {
  const { client, hosts, entry, connected } = await world(t, 2)
  client.useRegistered([entry(0, { calls: 10 }), entry(1, { calls: 8 })], true)
  await connected(2)
  for (let i = 0; i < 5; i++) t.true((await client.offer(mediaCall())).ok)
  t.deepEqual(offersOf(hosts), [2, 3], 'ten and eight became twelve and eleven')
  t.deepEqual(
    client.listHosts().map(({ calls }) => calls),
    [12, 11],
  )
  client.useRegistered([entry(0, { calls: 12 }), entry(1, { calls: 11, tickLateP99Ms: 9 })], true)
  await client.offer(mediaCall())
  t.deepEqual(offersOf(hosts), [3, 3], 'a late host is passed over')
})

// [media-hosts.sigterm.1] [media-hosts.placement.2]
test('a host that drains gets no new call and keeps those it has; when all do, no capacity is left', async (t) => {
  const { client, hosts, entry, connected } = await world(t, 2)
  client.useRegistered([entry(0), entry(1, { calls: 50 })], true)
  await connected(2)
  const call = mediaCall()
  await client.offer(call)
  client.useRegistered([entry(0, { draining: true }), entry(1, { calls: 50 })], true)
  await client.offer(mediaCall())
  t.deepEqual(offersOf(hosts), [1, 1])
  t.true((await client.mint(call.callId, 'talk', 'key_1')).ok)
  client.useRegistered([entry(0, { draining: true }), entry(1, { draining: true })], true)
  t.like(await client.offer(mediaCall()), { ok: false, error: { code: 'MEDIA_CAPACITY', retryAfterSeconds: 5 } })
  t.true(client.isAvailable(), 'the live calls have their audio')
  t.deepEqual(
    client.listHosts().map(({ isDraining }) => isDraining),
    [true, true],
  )
})

test('a host whose entry ran out is kept while its link stands, behind those that are named', async (t) => {
  const { client, hosts, entry, connected, told } = await world(t, 2)
  client.useRegistered([entry(0), entry(1, { calls: 9 })], true)
  await connected(2)
  const call = mediaCall()
  await client.offer(call)
  client.useRegistered([entry(1, { calls: 9 })], true)
  await client.offer(mediaCall())
  t.deepEqual(offersOf(hosts), [1, 1])
  t.true((await client.mint(call.callId, 'talk', 'key_1')).ok)
  client.useRegistered([], true)
  t.true((await client.offer(mediaCall())).ok, 'a register that was emptied stops no call')
  t.deepEqual(told, [])
})

test('a host whose entry ran out and whose link is gone is forgotten, and its calls are lost at once', async (t) => {
  const { client, hosts, entry, connected, told } = await world(t, 2)
  client.useRegistered([entry(0), entry(1, { calls: 9 })], true)
  await connected(2)
  const call = mediaCall()
  await client.offer(call)
  await hosts[0]?.close()
  await connected(1)
  client.useRegistered([entry(0), entry(1)], true)
  t.deepEqual(told, [], 'while it is named it may come back')
  client.useRegistered([entry(1)], false)
  t.deepEqual(told, [], 'a register that is not whole says nothing of those it does not name')
  client.useRegistered([entry(1)], true)
  t.deepEqual(told, [{ type: 'lost', callId: call.callId, reason: 'HOST_GONE' }])
  t.deepEqual(
    client.listHosts().map(({ hostId }) => hostId),
    ['host-1'],
  )
  t.true((await client.offer(mediaCall())).ok)
})

test('reports of a host from before its restart do not count', async (t) => {
  const { client, entry, connected } = await world(t, 1)
  client.useRegistered([entry(0)], true)
  await connected(1)
  client.useRegistered(
    [entry(0, { calls: 1 }), entry(0, { hostId: 'host-of-before', calls: 70, draining: true })],
    true,
  )
  t.deepEqual(
    client.listHosts().map(({ calls, isDraining }) => ({ calls, isDraining })),
    [{ calls: 1, isDraining: false }],
  )
})

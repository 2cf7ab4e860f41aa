import test from 'ava'
import type { CallId } from '../../src/domain/ids.ts'
import { MEDIA_REQUEST_MS } from '../../src/domain/limits.ts'
import { LINK_WAIT_MS } from '../../src/media/host-link.ts'
import { createMediaClient } from '../../src/media/media-client.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'
import { ScriptedHost, mediaCall, mediaProbe } from './scripted-host.ts'

test("the first request of each connection is sync, under the node's name and secret", async (t) => {
  const { client, host } = await mediaProbe(t)
  const call = mediaCall()
  t.deepEqual(await client.offer(call), { ok: true, value: { sdp: 'v=0 offer' } })
  host.drop()
  await until('it synchronised again', () => host.opsOf('sync').length === 2)
  t.deepEqual(
    host.opsOf('sync').map((request) => request.calls),
    [[], [call.callId]],
  )
  t.is(host.requests[0]?.op, 'sync')
  t.like(host.lastHeaders, { authorization: 'Bearer secret', 'x-node-id': 'node_1', url: '/control' })
})

test('requests reach the host whole and its values come back', async (t) => {
  const { client, host } = await mediaProbe(t)
  const call = mediaCall({ direction: 'INBOUND', status: 'RINGING' })
  const { callId } = call
  t.deepEqual(await client.announce(call), { ok: true, value: null })
  t.deepEqual(await client.answer(call, 'v=0 theirs'), { ok: true, value: { sdp: 'v=0 answer' } })
  t.deepEqual(await client.connect(callId, 'v=0 final'), { ok: true, value: null })
  t.deepEqual(await client.mint(callId, 'listen', 'key_1'), {
    ok: true,
    value: { wsUrl: 'ws://media/v1/realtime/x', token: 'token', expiresAtMs: 1 },
  })
  t.true((await client.mint(callId, 'talk', 'key_1', true)).ok)
  t.deepEqual(await client.giveBack(callId), { ok: true, value: null })
  t.deepEqual(await client.play(callId, 'play_1', 'http://files/a.wav', true), { ok: true, value: null })
  client.setStatus(callId, 'ACCEPTED', { externalCallId: 'x1' })
  client.close(callId, { status: 'COMPLETED', durationSeconds: 3 })
  await until('closed', () => host.opsOf('close').length === 1)
  t.deepEqual(host.requests.slice(1).map(({ id: _id, ...request }) => request) as object[], [
    { op: 'announce', call },
    { op: 'answer', call, sdpOffer: 'v=0 theirs' },
    { op: 'connect', callId, sdpAnswer: 'v=0 final' },
    { op: 'mint', callId, mode: 'listen', by: 'key_1' },
    { op: 'mint', callId, mode: 'talk', by: 'key_1', takesOver: true },
    { op: 'giveBack', callId },
    { op: 'play', callId, playbackId: 'play_1', mediaUrl: 'http://files/a.wav', hangupAfterPlay: true },
    { op: 'status', callId, status: 'ACCEPTED', externalCallId: 'x1' },
    { op: 'close', callId, status: 'COMPLETED', durationSeconds: 3 },
  ])
})

test('refusals of the host come back unchanged, unreadable answers as no media', async (t) => {
  const { client, host } = await mediaProbe(t)
  const { callId } = mediaCall()
  await client.offer(mediaCall({ callId }))
  const error = { code: 'PLAYBACK_QUEUE_FULL', message: 'Twenty files wait.', retryAfterSeconds: 5 }
  host.onRequest = ({ op }) => (op === 'play' ? { error } : { value: { sdp: 7 } })
  t.deepEqual((await client.play(callId, 'play_1', 'http://a', false)) as object, { ok: false, error })
  t.like(await client.mint(callId, 'talk', 'key_1'), { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
  host.onRequest = () => ({ error: { code: 'NO_SUCH_CODE', message: '' } })
  t.like(await client.mint(callId, 'talk', 'key_1'), { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
})

test('every host is told of a revoked caller, one whose link broke too', async (t) => {
  const { client, hosts, host, gauges } = await mediaProbe(t, 2)
  await until('both are in step', () => gauges.get('media_hosts_connected') === 2)
  client.revoke('key_1')
  await until('both were told', () => hosts.every((one) => one.opsOf('revoke').length === 1))
  t.deepEqual(
    hosts.map((one) => one.opsOf('revoke').map(({ by }) => by)),
    [['key_1'], ['key_1']],
  )
  host.onRequest = ({ op }) => (op === 'revoke' && host.opsOf('revoke').length === 2 ? 'drop' : undefined)
  client.revoke('num_1')
  await until('it was told again', () => host.opsOf('revoke').length === 3)
  t.deepEqual(
    host.opsOf('revoke').map(({ by }) => by),
    ['key_1', 'num_1', 'num_1'],
  )
})

test('a call nobody placed has no media', async (t) => {
  const { client } = await mediaProbe(t)
  t.like(await client.mint('call_unknown', 'talk', 'key_1'), { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
  t.like(await client.connect('call_unknown', 'v=0'), { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
})

test('calls go to the host with the fewest of them', async (t) => {
  const { client, hosts, gauges } = await mediaProbe(t, 2)
  await until('both are in step', () => gauges.get('media_hosts_connected') === 2)
  const first = mediaCall()
  await client.offer(first)
  await Promise.all([client.offer(mediaCall()), client.offer(mediaCall()), client.offer(mediaCall())])
  t.deepEqual(
    hosts.map((host) => host.opsOf('offer').length),
    [2, 2],
  )
  client.close(first.callId, { status: 'COMPLETED' })
  const holder = hosts.findIndex((host) => host.opsOf('offer').some(({ call }) => call.callId === first.callId))
  await until('closed', () => hosts[holder]?.opsOf('close').length === 1)
  await client.offer(mediaCall())
  t.is(hosts[holder]?.opsOf('offer').length, 3)
})

test('a host that says that it is late is passed over, and one that ends gets no call, until their connection is another', async (t) => {
  const { client, hosts, gauges } = await mediaProbe(t, 2)
  await until('both are in step', () => gauges.get('media_hosts_connected') === 2)
  const calls = [mediaCall(), mediaCall()]
  for (const call of calls) await client.offer(call)
  const offers = () => hosts.map((host) => host.opsOf('offer').length)
  t.deepEqual(offers(), [1, 1])
  const [late, other] = hosts
  if (!late || !other) return t.fail()
  /** Sends a load report, then waits for an answer, which arrives behind the report. */
  const say = async (host: ScriptedHost, load: unknown) => {
    host.send({ load })
    const { callId = '' } = host.opsOf('offer')[0]?.call ?? {}
    t.true((await client.mint(callId as CallId, 'talk', 'key_1')).ok)
  }
  await say(late, { tickLateP99Ms: 9, draining: false })
  for (let count = 0; count < 3; count++) await client.offer(mediaCall())
  t.deepEqual(offers(), [1, 4], 'it has fewer calls')
  await say(other, { tickLateP99Ms: 1, draining: true })
  t.deepEqual(
    client.listHosts().map(({ isDraining }) => isDraining),
    [false, true],
  )
  await client.offer(mediaCall())
  t.deepEqual(offers(), [2, 4], 'late is better than ending')
  await say(late, { tickLateP99Ms: 'no number', draining: true })
  await client.offer(mediaCall())
  t.deepEqual(offers(), [3, 4], 'what cannot be read says nothing')
  await say(late, { tickLateP99Ms: 1, draining: true })
  t.like(await client.offer(mediaCall()), { ok: false, error: { code: 'MEDIA_CAPACITY' } })
  late.drop()
  await until(
    'it is in step again',
    () => late.opsOf('sync').length === 2 && client.listHosts().every(({ isConnected }) => isConnected),
  )
  await client.offer(mediaCall())
  t.deepEqual(offers(), [4, 4])
})

// [media-hosts.placement.2]
test('a full host passes the call to the next; when all are full the caller is told', async (t) => {
  const { client, hosts, gauges } = await mediaProbe(t, 2)
  await until('both are in step', () => gauges.get('media_hosts_connected') === 2)
  const full = { error: { code: 'MEDIA_CAPACITY', message: 'full', retryAfterSeconds: 7 } }
  const [one, two] = hosts
  if (!one || !two) return t.fail()
  one.onRequest = ({ op }) => (op === 'offer' ? full : undefined)
  t.true((await client.offer(mediaCall())).ok)
  t.true((await client.offer(mediaCall())).ok)
  t.is(two.opsOf('offer').length, 2)
  two.onRequest = one.onRequest
  t.deepEqual((await client.offer(mediaCall())) as object, { ok: false, error: full.error })
})

test('a host that breaks away under an offer passes the call to the next', async (t) => {
  const { client, hosts, gauges } = await mediaProbe(t, 2)
  await until('both are in step', () => gauges.get('media_hosts_connected') === 2)
  let drops = 1
  for (const host of hosts) host.onRequest = ({ op }) => (op === 'offer' && drops-- > 0 ? 'drop' : undefined)
  const call = mediaCall()
  t.true((await client.offer(call)).ok)
  await until('both are back', () => hosts.reduce((sum, host) => sum + host.opsOf('sync').length, 0) === 3)
  const broken = hosts.find((host) => host.opsOf('sync').length === 2)
  t.deepEqual(broken?.opsOf('sync')[1]?.calls, [], 'the host that lost it is told to drop its leg')
})

test('a request that must not run twice fails when the link breaks, and the others are sent again in order', async (t) => {
  const { client, host } = await mediaProbe(t)
  const { callId } = mediaCall()
  await client.offer(mediaCall({ callId }))
  host.onRequest = ({ op }) => (op === 'sync' ? undefined : 'silence')
  const played = client.play(callId, 'play_1', 'http://a', false)
  const connected = client.connect(callId, 'v=0')
  const minted = client.mint(callId, 'talk', 'key_1')
  client.setStatus(callId, 'ACCEPTED')
  await until('all arrived', () => host.opsOf('status').length === 1)
  host.onRequest = () => undefined
  const before = host.requests.length
  host.drop()
  t.like(await played, { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
  t.true((await connected).ok)
  t.true((await minted).ok)
  await until('the status came again', () => host.opsOf('status').length === 2)
  t.deepEqual(
    host.requests.slice(before).map((request) => request.op),
    ['sync', 'connect', 'mint', 'status'],
  )
})

test('a request without an answer fails in time, and a leg that may exist is closed', async (t) => {
  const clock = new FakeClock()
  const { client, host } = await mediaProbe(t, 1, clock)
  host.onRequest = ({ op }) => (op === 'offer' ? 'silence' : undefined)
  const call = mediaCall()
  const offered = client.offer(call)
  await until('the offer arrived', () => host.opsOf('offer').length === 1)
  clock.advance(MEDIA_REQUEST_MS)
  t.like(await offered, { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
  await until('it is closed', () => host.opsOf('close').some((request) => request.callId === call.callId))
})

test('without any host a call waits a little, and starts when one comes', async (t) => {
  const clock = new FakeClock()
  const { client, host } = await mediaProbe(t, 1, clock)
  await until('available', () => client.isAvailable())
  const { port } = host
  await host.close()
  await until('gone', () => !client.isAvailable())
  const refused = client.offer(mediaCall())
  clock.advance(LINK_WAIT_MS)
  t.like(await refused, { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })

  const waiting = client.offer(mediaCall())
  const back = await ScriptedHost.start(port)
  t.teardown(() => back.close())
  await until('it is back', () => {
    clock.advance(20)
    return client.isAvailable()
  })
  t.true((await waiting).ok)
})

test('an installation without hosts refuses at once', async (t) => {
  const client = createMediaClient({
    hosts: [],
    internalSecret: 's',
    nodeId: 'node_1',
    clock: new FakeClock(),
    log: silentLog,
    metrics: noMetrics,
  })
  t.like(await client.offer(mediaCall()), { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
  t.false(client.isAvailable())
  client.stop()
})

test('a close is not lost with the link, and the call is named until it is answered', async (t) => {
  const { client, host, told } = await mediaProbe(t)
  const call = mediaCall()
  await client.offer(call)
  let drops = 1
  host.onRequest = ({ op }) => (op === 'close' && drops-- > 0 ? 'drop' : undefined)
  client.close(call.callId, { status: 'COMPLETED', durationSeconds: 9 })
  client.close(call.callId, { status: 'FAILED' })
  await until('it came again', () => host.opsOf('close').length === 2)
  t.deepEqual(host.opsOf('sync')[1]?.calls, [call.callId])
  t.like(host.opsOf('close')[1], { status: 'COMPLETED', durationSeconds: 9 })
  t.like(await client.mint(call.callId, 'talk', 'key_1'), { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
  host.drop()
  await until('synchronised', () => host.opsOf('sync').length === 3)
  t.deepEqual(host.opsOf('sync')[2]?.calls, [])
  t.deepEqual(told, [])
})

test('a call closed while it is being offered is closed on its host', async (t) => {
  const { client, host } = await mediaProbe(t)
  const call = mediaCall()
  let pass = (): void => {}
  host.onRequest = (request) => {
    if (request.op !== 'offer') return undefined
    pass = () => host.send({ re: request.id, ok: true, value: { sdp: 'v=0' } })
    return 'silence'
  }
  const offered = client.offer(call)
  await until('the offer arrived', () => host.opsOf('offer').length === 1)
  client.close(call.callId, { status: 'MISSED' })
  t.is(host.opsOf('close').length, 0)
  pass()
  t.like(await offered, { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
  await until('closed', () => host.opsOf('close').length === 1)
})

test('a call of before a restart of the gateway is closed on whatever host holds it', async (t) => {
  const { client, hosts } = await mediaProbe(t, 2)
  client.close('call_before', { status: 'FAILED', reason: 'NODE_LOST' })
  await until('all are told', () => hosts.every((host) => host.opsOf('close').length === 1))
  t.like(hosts[0]?.opsOf('close')[0], { callId: 'call_before', status: 'FAILED', reason: 'NODE_LOST' })
})

test('a host taken off the list gets no new calls and is left after its last', async (t) => {
  const { client, host } = await mediaProbe(t)
  const next = await ScriptedHost.start()
  t.teardown(() => next.close())
  const old = mediaCall()
  await client.offer(old)
  client.useHosts([next.address])
  // An offer waits for a host as long as a caller may, which a busy machine may need to connect.
  await until('the next host is connected', () => next.opsOf('sync').length === 1)
  t.true((await client.offer(mediaCall())).ok)
  t.is(next.opsOf('offer').length, 1)
  t.true((await client.mint(old.callId, 'talk', 'key_1')).ok)
  client.close(old.callId, { status: 'COMPLETED' })
  await until('it is left', () => host.socket === null)
  t.is(host.connects, 1)
})

import test from 'ava'
import type { ExecutionContext } from 'ava'
import { Cluster } from '../helpers/cluster.ts'
import type { ClusterMediaHost, ClusterNode } from '../helpers/cluster.ts'
import { call } from '../helpers/service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { sized } from '../helpers/size.ts'
import { holesIn, longestPauseMs, SpeakingBot, TONE_PEER } from '../helpers/speaking-bot.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

/**
 * Calls whose owner is killed, all in real time. 20 calls (our choice) use a whole processor (docs/performance.md). A
 * quarter of the phones speak WebRTC; the others use raw audio, which costs a phone a third as much (decision
 * 0031). TALKING_CALLS sets another number.
 */
const TALKING = Number(process.env['TALKING_CALLS'] ?? sized(20, 3))
const WEBRTC = Math.max(2, Math.floor(TALKING / 4))
const RAW = TALKING - WEBRTC
const CALLS = `${WEBRTC + RAW} calls, ${WEBRTC} of them over WebRTC and ${RAW} over raw audio,`
/**
 * Each media host gets at most six of these calls and one untouched call. Below 8 calls a host refuses none, however
 * late a busy machine makes it.
 */
const HOSTS = Math.ceil(TALKING / 6)
/** Calls that begin at the same time. The first seconds of a call cost most. */
const AT_ONCE = 4

let cluster: Cluster
/**
 * One call for each media host that no test disturbs, by the host's name. It belongs to a separate gateway that never
 * stops.
 */
const untouched = new Map<string, SpeakingBot>()

const isRunnable = TEST_DATABASE_URL !== null && process.env['TEST_REDIS_URL'] !== undefined
const story = isRunnable ? test.serial : test.serial.skip

test.before(async () => {
  if (!isRunnable) return
  cluster = await Cluster.start({ gateways: 3, mediaHosts: HOSTS })
  await leaveAlone(await cluster.startApart())
})

test.after.always(async () => {
  await cluster?.stop()
})

async function healthOf({ controlPort }: ClusterMediaHost): Promise<{ hostId: string; calls: number }> {
  return (await call('GET', `http://127.0.0.1:${controlPort}/health`)).body
}

/** Makes the phone of a number use raw audio for all calls from now on. */
async function useRawAudio(service: Service, number: PairedNumber): Promise<void> {
  const { body } = await service.control('POST', `/devices/${number.digits}/media`, { kind: 'pcm16' })
  if (body.kind !== 'pcm16') throw new Error(JSON.stringify(body))
  await service.untilState(number.id, 'OPEN')
}

/**
 * Leaves one untouched call on each media host, while the hosts have no other calls. A second call on a host is ended
 * again.
 */
async function leaveAlone(apart: Service): Promise<void> {
  const number = await apart.pairNumber()
  await useRawAudio(apart, number)
  const doubled: string[] = []
  while (untouched.size < HOSTS) {
    const before = await Promise.all(cluster.mediaHosts.map(healthOf))
    const placed = await apart.placeCall(number, TONE_PEER)
    const after = await Promise.all(cluster.mediaHosts.map(healthOf))
    const host = after.find(({ calls }, i) => calls > (before[i]?.calls ?? 0))
    if (!host) throw new Error('no media host has the call')
    if (untouched.has(host.hostId)) doubled.push(placed.id)
    else untouched.set(host.hostId, await SpeakingBot.joinPlaced(apart, number, placed))
  }
  for (const id of doubled) await apart.endCall(number, id)
}

/** Waits until a gateway other than `former` holds the number. */
async function nextOwner(number: PairedNumber, former: ClusterNode): Promise<ClusterNode> {
  return await until('another gateway holds the number', async () => {
    const owner = await cluster.ownerOf(number.id)
    return owner !== null && owner !== former && owner.isRunning ? owner : null
  })
}

interface Talk {
  readonly owner: ClusterNode
  readonly number: PairedNumber
  readonly bots: readonly SpeakingBot[]
  readonly sinceMs: number
}

async function join(service: Service, number: PairedNumber, count: number): Promise<SpeakingBot[]> {
  const bots: SpeakingBot[] = []
  while (bots.length < count) {
    bots.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, count - bots.length) }, () => SpeakingBot.join(service, number)),
      )),
    )
  }
  return bots
}

/**
 * Starts calls of one number with bots that speak and listen. After the test they end and every gateway runs again, so
 * that a test that fails leaves the next one its processor time.
 */
async function talk(t: ExecutionContext, webrtc: number = WEBRTC, raw: number = RAW): Promise<Talk> {
  const [{ service }] = cluster.running as [ClusterNode]
  const number = await service.pairNumber()
  t.teardown(async () => {
    for (const node of cluster.nodes) if (!node.isRunning) await cluster.restartNode(node)
    // A gateway that was started again may have another address.
    const [{ service: running }] = cluster.running as [ClusterNode]
    const { body } = await running.api('GET', '/v1/calls?limit=100', number.key)
    await Promise.all(body.calls.map(({ id }: { id: string }) => running.endCall(number, id)))
  })
  const bots = await join(service, number, webrtc)
  await useRawAudio(service, number)
  bots.push(...(await join(service, number, raw)))
  const owner = await until('a gateway holds the number', () => cluster.ownerOf(number.id))
  return { owner, number, bots, sinceMs: Date.now() }
}

/** The name of each call's media host, by call id. */
async function hostsOf(bots: readonly SpeakingBot[]): Promise<Map<string, string>> {
  const rows = await cluster.rows<{ id: string; media_host: string }>(
    `select id, media_host from calls where id in (${bots.map(({ callId }) => `'${callId}'`).join()})`,
  )
  return new Map(rows.map(({ id, media_host: host }) => [id, host]))
}

/** The faults in what the peers heard, and the longest pause of all calls in ms. */
async function holes({ bots, sinceMs }: Talk): Promise<{ readonly faults: string[]; readonly longestMs: number }> {
  const { service } = cluster.running[0]!
  const hosts = await hostsOf(bots)
  const heard = await Promise.all(bots.map((bot) => bot.hearing(service, sinceMs)))
  const others = new Map(
    await Promise.all([...untouched].map(async ([host, bot]) => [host, await bot.hearing(service, sinceMs)] as const)),
  )
  const faults = bots.flatMap(({ callId }, i) => {
    const other = others.get(hosts.get(callId) ?? '')
    return other
      ? holesIn(heard[i]!, other).map((fault) => `${i < WEBRTC ? 'WebRTC' : 'raw audio'}, ${callId}: ${fault}`)
      : [`${callId} is at no host`]
  })
  return { faults, longestMs: Math.max(...heard.map(longestPauseMs)) }
}

/** How often each event of each call was stored. */
async function eventsOf({ number, bots }: Pick<Talk, 'number' | 'bots'>): Promise<Record<string, number>[]> {
  const events = await cluster.running[0]!.service.events(number)
  if (new Set(events.map(({ id }) => id)).size < events.length) throw new Error('an event is told twice')
  return bots.map(({ callId }) => {
    const own = Object.groupBy(
      events.filter(({ data }) => data.id === callId),
      ({ event }) => event,
    )
    return Object.fromEntries(Object.entries(own).map(([name, list]) => [name, list?.length ?? 0]))
  })
}

/** Hangs a call up through a gateway, whether or not it holds the number. The call ends for its bot and its peer. */
async function hangUp(
  t: ExecutionContext,
  { service }: ClusterNode,
  number: PairedNumber,
  bot: SpeakingBot,
): Promise<void> {
  t.like((await service.api('GET', `/v1/calls/${bot.callId}`, number.key)).body, {
    status: 'ACCEPTED',
    errorCode: null,
  })
  t.is(bot.client.closed, null)
  t.is((await service.api('POST', `/v1/calls/${bot.callId}/terminate`, number.key)).body.status, 'COMPLETED')
  t.is((await bot.client.untilClosed()).code, 1000)
  await until(
    'the phone is told',
    async () => (await service.control('GET', `/calls/${bot.externalCallId}`)).body.state === 'ENDED',
  )
}

/** Waits until a gateway can use a call; throws with the reason when the call has ended. */
async function untilAdopted({ service }: ClusterNode, { key }: PairedNumber, { callId }: SpeakingBot): Promise<void> {
  await until('the call is adopted', async () => {
    const { status } = await service.api('POST', `/v1/calls/${callId}/realtime-session`, key, { mode: 'listen' })
    if (status === 409)
      throw new Error(`the call is over: ${(await service.api('GET', `/v1/calls/${callId}`, key)).text}`)
    return status === 200
  })
}

/** Asserts that every call continues and nobody heard a hole, then hangs each up through one of the gateways. */
async function assertGoneOn(t: ExecutionContext, talking: Talk): Promise<void> {
  const { number, bots } = talking
  const { running } = cluster
  const through = (i: number) => running[i % running.length]!
  await Promise.all(bots.map((bot, i) => untilAdopted(through(i), number, bot)))
  await Promise.all([...untouched.values(), ...bots].map((bot) => bot.untilHeard(3)))
  const { faults, longestMs } = await holes(talking)
  t.deepEqual(faults, [])
  t.log(`the longest pause: ${longestMs} ms`)
  await Promise.all(bots.map((bot, i) => hangUp(t, through(i), number, bot)))
  t.deepEqual(
    await eventsOf(talking),
    bots.map(() => ({ 'call.connected': 1, 'call.ended': 1 })),
  )
}

// [nodes.calls.3]
story(
  `kill -9 of a gateway in the middle of its ${CALLS} ends none: each is heard and spoken without a hole, and is hung up through another`,
  async (t) => {
    const talking = await talk(t)
    const { owner, number } = talking
    await owner.kill('SIGKILL')
    await nextOwner(number, owner)
    await assertGoneOn(t, talking)
  },
)

// [nodes.sigterm.4]
story(`SIGTERM of a gateway in the middle of its ${CALLS} ends none of them`, async (t) => {
  const talking = await talk(t)
  const { owner, number } = talking
  await owner.kill('SIGTERM')
  await nextOwner(number, owner)
  await assertGoneOn(t, talking)
})

story(`a rolling restart of every gateway beneath ${CALLS} ends none of them`, async (t) => {
  const talking = await talk(t)
  for (const node of cluster.nodes) {
    await node.kill('SIGTERM')
    await cluster.restartNode(node)
  }
  await assertGoneOn(t, talking)
})

story('kill -9 of a media host ends its calls FAILED MEDIA_LOST, each told once, and no other', async (t) => {
  const talking = await talk(t, HOSTS, HOSTS)
  const {
    owner: { service },
    number,
    bots,
  } = talking
  const [host] = cluster.mediaHosts as [ClusterMediaHost]
  const { hostId } = await healthOf(host)
  const hosts = await hostsOf(bots)
  await host.program.kill('SIGKILL')
  const [lost, others] = [
    bots.filter(({ callId }) => hosts.get(callId) === hostId),
    bots.filter(({ callId }) => hosts.get(callId) !== hostId),
  ]
  t.true(lost.length > 0)
  for (const { callId } of lost) t.is((await service.untilCall(number, callId, ['FAILED'])).errorCode, 'MEDIA_LOST')
  await Promise.all(others.map((bot) => bot.untilHeard(1)))
  await Promise.all(others.map((bot) => hangUp(t, talking.owner, number, bot)))
  t.deepEqual(
    await eventsOf(talking),
    bots.map(() => ({ 'call.connected': 1, 'call.ended': 1 })),
  )
})

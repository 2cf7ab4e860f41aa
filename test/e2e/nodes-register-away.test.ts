import test, { type ExecutionContext } from 'ava'
import { Cluster, type ClusterMediaHost, type ClusterNode } from '../helpers/cluster.ts'
import { openDatabaseProxy, type DatabaseProxy } from '../helpers/database-proxy.ts'
import { call, type PairedNumber } from '../helpers/service.ts'
import { sized } from '../helpers/size.ts'
import { SpeakingBot, TONE_PEER } from '../helpers/speaking-bot.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

/**
 * our choice, in ms: how long Redis is away. It is longer than an entry of the register is valid (6 s,
 * [media-hosts.register.1]) and longer than the checks take.
 */
const OUTAGE_MS = sized(30_000, 8_000)

let cluster: Cluster
let redis: DatabaseProxy

async function hostsSeenBy(node: ClusterNode): Promise<{ hostId: string; connected: boolean; calls: number }[]> {
  return (await call('GET', `${node.base}/health/ready`)).body.mediaHosts
}

function isKnownTo(node: ClusterNode, hosts: number): Promise<boolean> {
  return until(
    `${hosts} media hosts are known`,
    async () => (await hostsSeenBy(node)).filter(({ connected }) => connected).length === hosts,
  )
}

async function healthOf({ controlPort }: ClusterMediaHost): Promise<{ calls: number }> {
  return (await call('GET', `http://127.0.0.1:${controlPort}/health`)).body
}

async function toldOfRedis(node: ClusterNode): Promise<string> {
  return (await call('GET', `${node.base}/health/ready`)).body.checks.redis
}

async function lasting(outage: () => Promise<void>): Promise<void> {
  const beganMs = performance.now()
  await outage()
  await until('it lasted long enough', () => performance.now() - beganMs >= OUTAGE_MS)
}

async function assertLive(
  t: ExecutionContext,
  { service }: ClusterNode,
  number: PairedNumber,
  bots: readonly SpeakingBot[],
): Promise<void> {
  await Promise.all(bots.map((bot) => bot.untilHeard(2)))
  for (const { callId, client } of bots) {
    t.like((await service.api('GET', `/v1/calls/${callId}`, number.key)).body, { status: 'ACCEPTED', errorCode: null })
    t.is(client.closed, null)
  }
}

/** Places a call, which the peer answers. */
async function talkOn({ service }: ClusterNode, number: PairedNumber): Promise<SpeakingBot> {
  return await SpeakingBot.join(service, number)
}

if (TEST_DATABASE_URL === null || TEST_REDIS_URL === null) {
  test.skip('media hosts that register live through an outage of Redis (TEST_DATABASE_URL and TEST_REDIS_URL are not both set)', () => {})
} else {
  test.before(async () => {
    cluster = await Cluster.start({
      gateways: 2,
      mediaHosts: 2,
      env: { MEDIA_HOSTS: 'register' },
      async redisWay(url) {
        redis = await openDatabaseProxy(url)
        return redis.url
      },
    })
  })

  test.after.always(async () => {
    redis?.set('forward')
    await cluster?.stop()
    redis?.close()
  })

  test.serial(
    'while Redis is away calls go on at media hosts that registered, and new ones are placed there; then hosts that came meanwhile get calls, too',
    async (t) => {
      for (const node of cluster.nodes) await isKnownTo(node, 2)
      const number = await cluster.nodes[0]!.service.pairNumber()
      const bots = [
        await SpeakingBot.join(cluster.nodes[0]!.service, number),
        await SpeakingBot.join(cluster.nodes[0]!.service, number),
      ]
      const owner = await until('a gateway holds the number', () => cluster.ownerOf(number.id))
      redis.set('refuse')
      let newcomer: ClusterMediaHost | null = null
      await lasting(async () => {
        for (const node of cluster.nodes)
          await until('the outage is told', async () => (await toldOfRedis(node)) === 'down')
        await assertLive(t, owner, number, bots)
        bots.push(await talkOn(owner, number))
        newcomer = await cluster.startMediaHost()
      })
      await assertLive(t, owner, number, bots)
      for (const node of cluster.nodes)
        t.is(
          (await hostsSeenBy(node)).filter(({ connected }) => connected).length,
          2,
          'what cannot be read changes nothing',
        )

      redis.set('forward')
      for (const node of cluster.nodes) await isKnownTo(node, 3)
      const stranger = await cluster.strangerTo(number.id)
      await until('a call is placed at the host that came meanwhile', async () => {
        const { status } = await stranger.service.api('POST', '/v1/calls', number.key, { to: TONE_PEER })
        return status === 201 && newcomer !== null && (await healthOf(newcomer)).calls > 0
      })
      await assertLive(t, stranger, number, bots)
      const { body } = await stranger.service.api('GET', '/v1/calls?limit=100', number.key)
      for (const { id } of body.calls)
        t.is((await stranger.service.api('POST', `/v1/calls/${id}/terminate`, number.key)).status, 200)
      for (const { callId, client } of bots) {
        t.is((await client.untilClosed()).code, 1000)
        const events = (await stranger.service.events(number)).filter(({ data }) => data.id === callId)
        t.deepEqual(
          events.map(({ event }) => event),
          ['call.connected', 'call.ended'],
        )
      }
    },
  )
}

import test from 'ava'
import { Cluster } from '../helpers/cluster.ts'
import type { ClusterMediaHost, ClusterNode } from '../helpers/cluster.ts'
import { call } from '../helpers/service.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

async function callsOn({ controlPort }: ClusterMediaHost): Promise<number> {
  return (await call('GET', `http://127.0.0.1:${controlPort}/health`)).body.calls
}

async function hostsSeenBy(node: ClusterNode): Promise<{ connected: boolean; calls: number; draining: boolean }[]> {
  return (await call('GET', `${node.base}/health/ready`)).body.mediaHosts
}

if (TEST_DATABASE_URL === null || TEST_REDIS_URL === null) {
  test.skip('media hosts join, drain and are lost by their register (TEST_DATABASE_URL and TEST_REDIS_URL are not both set)', () => {})
} else {
  // [media-hosts.placement.2]
  test.serial(
    'media hosts that join get calls; one that drains lets its call go on, one that is killed ends its calls MEDIA_LOST',
    async (t) => {
      const cluster = await Cluster.start({ gateways: 2, mediaHosts: 1, env: { MEDIA_HOSTS: 'register' } })
      t.teardown(() => cluster.stop())
      const [node] = cluster.nodes
      const [first] = cluster.mediaHosts
      if (!node || !first) throw new Error('the cluster is not there')
      const { service } = node
      const number = await service.pairNumber()
      const [onFirst = ''] = await service.acceptedCalls(number, 1)
      t.is(await callsOn(first), 1)

      const second = await cluster.startMediaHost({ DRAIN_SECONDS: '600' })
      // Once the new host is known, it is the better choice because it is emptier.
      const onSecond: string[] = []
      await until('a call is placed on the host that joined', async () => {
        const { id } = await service.placeCall(number, '5511990000001')
        if ((await callsOn(second)) > 0) onSecond.push(id)
        else await service.endCall(number, id)
        return onSecond.length > 0
      })
      const [callId = ''] = onSecond
      await service.untilCall(number, callId, ['ACCEPTED'])
      const session = await service.api('POST', `/v1/calls/${callId}/realtime-session`, number.key)
      const bot = await SessionClient.connect(session.body.wsUrl)

      second.program.child.kill('SIGTERM')
      await until(
        'the host drains',
        async () => (await call('GET', `http://127.0.0.1:${second.controlPort}/health`)).body.isDraining,
      )
      const later = await service.acceptedCalls(number, 2)
      t.is(await callsOn(second), 1, 'it took no new call')
      t.is((await service.api('GET', `/v1/calls/${callId}`, number.key)).body.status, 'ACCEPTED')
      t.is(bot.closed, null)
      const ended = new Promise<number | null>((resolve) => {
        second.program.child.once('exit', resolve)
      })
      await service.endCall(number, callId)
      t.is(await ended, 0, 'and it ended with its last call')
      t.is((await service.api('GET', `/v1/calls/${callId}`, number.key)).body.status, 'COMPLETED')

      const workers = await cluster.startMediaHost({ MEDIA_WORKERS: '2', DRAIN_SECONDS: '600' })
      await until(
        'both workers are known beside the first',
        async () => (await hostsSeenBy(node)).filter(({ connected }) => connected).length === 3,
      )
      const killedAtMs = Date.now()
      await first.program.kill('SIGKILL')
      for (const id of [onFirst, ...later]) {
        const lost = await service.untilCall(number, id, ['FAILED'])
        t.is(lost.errorCode, 'MEDIA_LOST')
        t.log(`ended ${Date.parse(lost.endedAt) - killedAtMs} ms after the kill`)
      }
      await until('it is forgotten', async () => (await hostsSeenBy(node)).length === 2)
      const [last = ''] = await service.acceptedCalls(number, 1)

      workers.program.child.kill('SIGTERM')
      await until('no host takes calls', async () =>
        (await hostsSeenBy(node)).every(({ draining, connected }) => draining || !connected),
      )
      const refused = await service.api('POST', '/v1/calls', number.key, { to: '5511990000001' })
      t.is(refused.status, 503, refused.text)
      t.is(refused.body.code, 'MEDIA_CAPACITY')
      t.is(refused.headers.get('retry-after'), '5')
      t.is((await service.api('GET', `/v1/calls/${last}`, number.key)).body.status, 'ACCEPTED')
      await service.endCall(number, last)
    },
  )
}

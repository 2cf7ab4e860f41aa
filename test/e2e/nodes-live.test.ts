import test from 'ava'
import type { ExecutionContext } from 'ava'
import { Cluster, type ClusterNode } from '../helpers/cluster.ts'
import { keptCookie, OWN_PAGE } from '../helpers/dashboard.ts'
import { EventReader } from '../helpers/event-reader.ts'
import { newPeer } from '../helpers/message-service.ts'
import { clientAt } from '../helpers/people.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

if (TEST_DATABASE_URL === null || TEST_REDIS_URL === null) {
  test.skip('dashboards hear of every node (TEST_DATABASE_URL and TEST_REDIS_URL are not both set)', () => {})
} else {
  let cluster: Cluster

  test.before(async () => {
    cluster = await Cluster.start({ gateways: 2 })
  })

  test.after.always(() => cluster?.stop())

  /** A browser that is signed in, and the stream that it reads through a node. */
  async function listening(t: ExecutionContext, node: ClusterNode) {
    const client = clientAt(node.base)
    const { tenantKey } = node.service
    const signedIn = await client.send('POST', '/api/session', { headers: OWN_PAGE, body: { tenantKey } })
    const cookie = keptCookie(signedIn)
    const reader = await EventReader.open(t, `${node.base}/api/stream`, { cookie })
    await reader.next('hello')
    return { reader, headers: { ...OWN_PAGE, cookie, 'x-csrf-token': signedIn.body.csrfToken } }
  }

  // [dashboard.stream.1] [dashboard.stream.5]
  test.serial('a dashboard at one node is told of events, calls and numbers of another', async (t) => {
    const [first] = cluster.nodes
    if (!first) throw new Error('no node runs')
    const number = await first.service.pairNumber()
    await until('somebody holds it', () => cluster.ownerOf(number.id))
    const stranger = await cluster.strangerTo(number.id)
    const { reader } = await listening(t, stranger)
    const owner = cluster.nodes.find((node) => node !== stranger)
    if (!owner) throw new Error('there is no other node')
    const call = await owner.service.placeCall(number, newPeer())
    await owner.service.untilCall(number, call.id, ['ACCEPTED'])
    await owner.service.api('POST', `/v1/calls/${call.id}/terminate`, number.key)
    await reader.next('event', ({ event, data }) => event === 'call.ended' && data.id === call.id)
    t.deepEqual(
      reader.events.filter(({ event, data }) => event === 'call' && data.id === call.id).map(({ data }) => data.status),
      ['INITIATED', 'RINGING', 'ACCEPTED', 'COMPLETED'],
    )
    await owner.service.api('POST', `/v1/numbers/${number.id}/logout`, owner.service.tenantKey)
    await reader.next('number', ({ id, state }) => id === number.id && state === 'CLOSE')
  })

  // [dashboard.stream.7]
  test.serial('a dashboard that signs out at one node loses its stream at another', async (t) => {
    const [one, other] = cluster.nodes
    if (!one || !other) throw new Error('two nodes are needed')
    const { reader, headers } = await listening(t, other)
    t.is((await clientAt(one.base).send('DELETE', '/api/session', { headers })).status, 200)
    await until('the stream is over', () => reader.isOver)
    t.deepEqual(reader.events.at(-1)?.data, { reason: 'REVOKED' })
  })
}

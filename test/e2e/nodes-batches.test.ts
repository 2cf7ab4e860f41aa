import test from 'ava'
import { Cluster } from '../helpers/cluster.ts'
import { FAST, inboxOf, newPeer } from '../helpers/message-service.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

/** Five a second: what is left when a gateway is gone for the 6 s of a lease is more than that time lets through. */
const PER_MINUTE = 300
const EVERY_MS = 60_000 / PER_MINUTE
/** [message-verbs.batch.5]: what a second of the pace lets through at once. */
const AT_ONCE = PER_MINUTE / 60
const PEERS = 8
const EACH = 10
/** How many have reached their peers when the gateway is killed. */
const REACHED = 8

const story = TEST_DATABASE_URL === null || TEST_REDIS_URL === null ? test.skip : test

// [message-verbs.batch.1] [message-verbs.batch.5] [message-verbs.batch.7]
story(
  'a batch whose gateway is killed while it sends is sent on by another: each message once, in order, at its pace',
  async (t) => {
    const cluster = await Cluster.start({ gateways: 2, env: FAST })
    t.teardown(() => cluster.stop())
    const [node] = cluster.nodes
    if (!node) return t.fail()
    const number = await node.service.pairNumber()
    const owner = await until('a gateway holds the number', () => cluster.ownerOf(number.id))
    const other = await cluster.strangerTo(number.id)

    const peers = Array.from({ length: PEERS }, () => newPeer())
    const textsTo = (peer: string) => Array.from({ length: EACH }, (_, at) => `${at} to ${peer}`)
    const messages = peers.flatMap((peer) => textsTo(peer).map((text) => ({ destinationNumber: peer, text })))
    const post = ({ service }: typeof owner) =>
      service.api(
        'POST',
        '/v1/messages/batch',
        number.key,
        { messages, pace: { perMinute: PER_MINUTE } },
        { 'idempotency-key': 'the batch' },
      )
    const accepted = await post(owner)
    t.deepEqual([accepted.status, accepted.body.accepted], [202, messages.length])
    const reached = async () => (await Promise.all(peers.map((peer) => inboxOf(other.service, peer, number)))).flat()
    await until('some have reached their peers', async () => (await reached()).length >= REACHED)
    await owner.kill('SIGKILL')
    t.true((await reached()).length < messages.length, 'the gateway was killed before it had sent all')

    t.deepEqual((await post(other)).body, accepted.body, 'the first answer is repeated, and no second batch is made')
    const read = async () =>
      (await other.service.api('GET', `/v1/messages/batch/${accepted.body.batchId}`, number.key)).body
    const batch = await until('all are read', async () => {
      const body = await read()
      return body.counts.READ === messages.length ? body : null
    })
    t.deepEqual(batch.counts, { QUEUED: 0, SENT: 0, DELIVERED: 0, READ: messages.length, FAILED: 0, CANCELED: 0 })
    for (const peer of peers)
      t.deepEqual(
        (await inboxOf(other.service, peer, number)).map(({ text }) => text),
        textsTo(peer),
      )
    // A message arrives after it was begun, so on a slow machine too no more have arrived than the pace let begin.
    const sinceMs = Date.parse(batch.createdAt)
    const times = (await reached()).map(({ receivedAt }) => Date.parse(receivedAt) - sinceMs).toSorted((a, b) => a - b)
    for (const [at, ms] of times.entries())
      t.true(at + 1 <= AT_ONCE + ms / EVERY_MS + 1, `${at + 1} had arrived after ${ms} ms`)
  },
)

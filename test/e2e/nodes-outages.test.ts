import test, { type ExecutionContext } from 'ava'
import { Cluster, type ClusterNode } from '../helpers/cluster.ts'
import { openDatabaseProxy, type DatabaseProxy } from '../helpers/database-proxy.ts'
import { inboxOf } from '../helpers/message-service.ts'
import { call, type PairedNumber } from '../helpers/service.ts'
import { sized } from '../helpers/size.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

const PEER = '5511988880000'
/**
 * In ms: the shortest outage. At full size it is longer than a lease; at the small size the test waits for the effects
 * of one.
 */
const OUTAGE_MS = sized(30_000, 0)

let cluster: Cluster
let numbers: PairedNumber[]
const ways: DatabaseProxy[] = []
/** Texts that were answered 2xx, by number. */
const accepted = new Map<string, string[]>()
let sends = 0

async function way(url: string): Promise<string> {
  const proxy = await openDatabaseProxy(url)
  ways.push(proxy)
  return proxy.url
}

function readiness(node: ClusterNode) {
  return call('GET', `${node.base}/health/ready`)
}

/** Sends one text from each number through each node and keeps the accepted ones. */
async function sendAll(): Promise<number[]> {
  const statuses: number[] = []
  for (const { service } of cluster.nodes) {
    for (const number of numbers) {
      const text = `text ${++sends}`
      const { status } = await service.api('POST', '/v1/messages/send', number.key, { destinationNumber: PEER, text })
      statuses.push(status)
      if (status === 202) accepted.set(number.id, [...(accepted.get(number.id) ?? []), text])
    }
  }
  return statuses
}

/** Waits until every accepted text reached its peer, and asserts that each arrived once. */
async function holdToLedger(t: ExecutionContext): Promise<void> {
  const [node] = cluster.nodes
  if (!node) throw new Error('no node')
  for (const number of numbers) {
    const wanted = accepted.get(number.id) ?? []
    const texts = await until('what was taken reached the peer', async () => {
      const inbox = await inboxOf(node.service, PEER, number)
      const got: string[] = inbox.map(({ text }: { text: string }) => text)
      return wanted.every((text) => got.includes(text)) ? got : null
    })
    t.is(new Set(texts).size, texts.length, 'nothing was done twice')
  }
}

async function untilAllWell(): Promise<void> {
  await until('both nodes are ready', async () => {
    const answers = await Promise.all(cluster.nodes.map(readiness))
    return answers.every(({ status, body }) => status === 200 && body.checks.redis === 'ok')
  })
  for (const number of numbers) {
    for (const { service } of cluster.nodes) {
      await until(
        'any node answers for any number',
        async () => (await service.api('GET', '/v1/groups', number.key)).status === 200,
      )
    }
  }
}

async function lasting(outage: () => Promise<void>): Promise<void> {
  const beganMs = performance.now()
  await outage()
  await until('it lasted long enough', () => performance.now() - beganMs >= OUTAGE_MS)
}

if (TEST_DATABASE_URL === null || TEST_REDIS_URL === null) {
  test.skip('nodes live through the outages of what they share (TEST_DATABASE_URL and TEST_REDIS_URL are not both set)', () => {})
} else {
  test.before(async () => {
    cluster = await Cluster.start({
      gateways: 2,
      databaseWay: way,
      redisWay: way,
      env: { DATABASE_PATIENCE: '1', UNOFFICIAL_RECIPIENT_SECONDS: '0' },
    })
    numbers = await Promise.all(cluster.nodes.flatMap(({ service }) => [service.pairNumber()]))
  })

  test.after.always(async () => {
    for (const proxy of ways) proxy.set('forward')
    await cluster?.stop()
    for (const proxy of ways) proxy.close()
  })

  // [nodes.nodes.2] [nodes.nodes.3] [nodes.redis-away.1] [nodes.redis-away.3]
  test.serial(
    'while Redis is away each node serves its own numbers, reports the outage and stays ready; afterwards everything recovers by itself',
    async (t) => {
      const [, redis] = ways
      await untilAllWell()
      redis?.set('refuse')
      await lasting(async () => {
        for (const node of cluster.nodes) {
          const answer = await until('the outage is told', async () => {
            const { status, body } = await readiness(node)
            return body.checks.redis === 'down' ? { status } : null
          })
          t.is(answer.status, 200)
        }
        t.true(
          (await sendAll()).every((status) => status === 202),
          'sends write rows, whoever takes them',
        )
        for (const number of numbers) {
          const owner = await cluster.ownerOf(number.id)
          t.is((await owner?.service.api('GET', '/v1/groups', number.key))?.status, 200)
          const stranger = await cluster.strangerTo(number.id)
          t.like(await stranger.service.api('GET', '/v1/groups', number.key), {
            status: 503,
            body: { code: 'NOT_OWNER' },
          })
        }
        await holdToLedger(t)
      })
      redis?.set('forward')
      await untilAllWell()
    },
  )

  test.serial(
    'an outage of the database longer than a lease is reported, everything that was answered 2xx is done once, and all recovers by itself',
    async (t) => {
      const [database] = ways
      await untilAllWell()
      t.true((await sendAll()).every((status) => status === 202))
      database?.set('refuse')
      await lasting(async () => {
        for (const node of cluster.nodes)
          await until('the outage is told', async () => (await readiness(node)).status === 503)
        const statuses = await sendAll()
        t.deepEqual(
          statuses.filter((status) => status !== 503),
          [],
        )
        const { service } = cluster.nodes[0]!
        await until('no session is left without a lease', async () =>
          (await service.control('GET', '/devices')).body.devices.every(
            ({ isAttached }: { isAttached: boolean }) => !isAttached,
          ),
        )
      })
      database?.set('forward')
      await untilAllWell()
      t.true((await sendAll()).every((status) => status === 202))
      await holdToLedger(t)
      const { body } = await cluster.nodes[0]!.service.control('GET', '/devices')
      for (const device of body.devices) t.is(device.socketsReplaced, 0, 'no session was opened beside another')
    },
  )

  test.serial(
    'a restart of the database interrupts nothing: sessions stay, and everything that was answered 2xx is done once',
    async (t) => {
      const [database] = ways
      await untilAllWell()
      const before = (await cluster.nodes[0]!.service.control('GET', '/devices')).body.devices
      database?.set('refuse')
      database?.set('forward')
      await sendAll()
      await untilAllWell()
      await sendAll()
      await holdToLedger(t)
      const after = (await cluster.nodes[0]!.service.control('GET', '/devices')).body.devices
      t.deepEqual(
        after.map(({ socketsReplaced }: { socketsReplaced: number }) => socketsReplaced),
        before.map(() => 0),
      )
    },
  )
}

import test, { type ExecutionContext } from 'ava'
import { Cluster, type ClusterNode } from '../helpers/cluster.ts'
import { openDatabaseProxy } from '../helpers/database-proxy.ts'
import { MessageStorm, type Conversation } from '../helpers/message-storm.ts'
import { inboxOf, newPeer } from '../helpers/message-service.ts'
import { call, type Answer, type PairedNumber, type Service } from '../helpers/service.ts'
import { sized } from '../helpers/size.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until, within } from '../helpers/until.ts'
import { WrittenMessages } from '../helpers/written-messages.ts'

const SESSIONS = sized(60, 9)
/** Texts from each number to its peer. */
const EACH = sized(20, 10)
const SENDERS = 6
/** our choice, in ms: how long the owner is frozen. It is several lease times. */
const FROZEN_MS = 20_000
/** In ms: a client asks another gateway when it gets no answer for this long. */
const PATIENCE_MS = 2_000

const story = TEST_DATABASE_URL === null || TEST_REDIS_URL === null ? test.serial.skip : test.serial

/** Clients that ask the gateways in turn, the frozen one too. */
function roaming({ nodes }: Cluster): Pick<Service, 'api'> {
  let turn = 0
  return {
    api<T>(
      method: string,
      path: string,
      key: string,
      body?: unknown,
      headers?: Record<string, string>,
    ): Promise<Answer<T>> {
      const node = nodes[turn++ % nodes.length]
      return call<T>(method, `${node?.base}${path}`, {
        key,
        body,
        ...(headers ? { headers } : {}),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
    },
  }
}

interface Device {
  readonly isAttached: boolean
  readonly state: string
  readonly socketsReplaced: number
}

async function devices({ nodes }: Cluster): Promise<Map<string, Device>> {
  const { body } = await nodes[0]!.service.control('GET', '/devices')
  return new Map(body.devices.map((device: Device & { numberId: string }) => [device.numberId, device]))
}

async function numbersOf(cluster: Cluster, { nodeId }: ClusterNode): Promise<string[]> {
  const rows = await cluster.rows<{ number_id: string }>(
    `select number_id from number_leases where node_id = '${nodeId}' order by number_id`,
  )
  return rows.map((row) => row.number_id)
}

async function fencedWrites({ base }: ClusterNode): Promise<number> {
  const { text } = await call('GET', `${base}/metrics`)
  return Number(/^fenced_writes_total (\d+)/m.exec(text)?.[1])
}

/** Whether a statement writes with a lease (`fenceFields` in the storage of the service). */
function isFenced(statement: string): boolean {
  return /"number_id":"\w+","token":/.test(statement)
}

/** Whether a statement is the second of the transaction in which events are relayed (`subscribersOf`). */
function isInTransaction(statement: string): boolean {
  return statement.includes('from webhooks where number_id = any(')
}

/** Asserts that each accepted text reached its peer once, in the order of its conversation. */
async function assertReached(
  t: ExecutionContext,
  { nodes }: Cluster,
  conversations: readonly Conversation[],
): Promise<void> {
  const { service } = nodes[0]!
  for (const { number, peer, texts } of conversations) {
    const arrived = await until('all that was accepted reached its peer', async () => {
      const inbox: { text: string }[] = await inboxOf(service, peer, number)
      return inbox.length >= texts.length ? inbox.map(({ text }) => text) : null
    })
    t.deepEqual(arrived, texts)
  }
}

// [nodes.placement.4] [nodes.placement.5] [nodes.placement.6]
story(
  `an owner that does not run for ${FROZEN_MS / 1000} s under load: its numbers work elsewhere, no number has two sessions, what it had begun holds nobody up, what it still writes is refused, nothing is lost or done twice`,
  async (t) => {
    const cluster = await Cluster.start({ gateways: 2, env: { UNOFFICIAL_RECIPIENT_SECONDS: '0' } })
    const way = await openDatabaseProxy(cluster.databaseUrl)
    t.teardown(async () => {
      await cluster.stop()
      way.close()
    })
    const frozen = await cluster.startNode({ DATABASE_URL: way.url })
    const numbers: PairedNumber[] = []
    await Promise.all(
      cluster.nodes.map(async ({ service }) => {
        for (let at = 0; at < SESSIONS / cluster.nodes.length; at++) numbers.push(await service.pairNumber())
      }),
    )
    const refusedBefore = await fencedWrites(frozen)
    const written = new WrittenMessages(cluster, numbers)
    const conversations = numbers.map((number): Conversation => ({
      number,
      kind: 'UNOFFICIAL',
      peer: newPeer(),
      texts: [],
      ids: [],
    }))
    const storm = new MessageStorm(roaming(cluster), conversations, EACH, SENDERS)
    storm.allow(storm.total)
    const sending = storm.run()
    sending.catch(() => {})
    await until('messages are on their way', () => storm.accepted > SENDERS)
    const [underWay, isOpen] = [way.keepNext(isFenced), way.keepNext(isInTransaction)]
    await written.writeToAll()
    await within('a write of its numbers is on its way to the database', underWay)
    await within('a transaction of it is open', isOpen)
    const frozenMs = performance.now()
    frozen.freeze()
    // Until now nodes balanced: a number that moves by itself has no socket that another replaces.
    const before = await devices(cluster)
    const mine = (await numbersOf(cluster, frozen)).filter((numberId) => before.get(numberId)?.isAttached)
    t.true(mine.length > 0)
    // These messages wait in the frozen owner's sockets. It reads them after it has lost the numbers.
    await written.writeToAll()

    const works = new Map<string, number>()
    await until('its numbers have sessions elsewhere', async () => {
      const now = await devices(cluster)
      for (const numberId of mine) {
        const device = now.get(numberId)
        const isElsewhere =
          device?.isAttached
          && device.state === 'OPEN'
          && device.socketsReplaced > (before.get(numberId)?.socketsReplaced ?? 0)
        if (isElsewhere && !works.has(numberId)) works.set(numberId, performance.now() - frozenMs)
      }
      return works.size === mine.length
    })
    await until('it was frozen long enough', async () => {
      await written.writeToAll()
      return performance.now() - frozenMs >= FROZEN_MS
    })
    await written.assertToldOnce(t)
    way.letGo()
    frozen.resume()
    // A refused write tells the owner that it lost the number. It then reads no lease row of that number and logs
    // nothing.
    await until('what it still writes is refused', async () => (await fencedWrites(frozen)) > refusedBefore)
    await until('it is ready again', async () => (await call('GET', `${frozen.base}/health/ready`)).status === 200)
    await written.writeToAll()
    await sending

    await until('it takes part again', async () => (await numbersOf(cluster, frozen)).length > 0)
    await assertReached(t, cluster, conversations)
    await written.assertToldOnce(t)
    const after = await devices(cluster)
    const replaced = [...after].map(
      ([numberId, { socketsReplaced }]) =>
        [numberId, socketsReplaced - (before.get(numberId)?.socketsReplaced ?? 0)] as const,
    )
    t.deepEqual(
      replaced
        .filter(([, times]) => times !== 0)
        .map(([numberId]) => numberId)
        .toSorted(),
      mine.toSorted(),
      'only what it held was opened elsewhere while its socket stood',
    )
    t.deepEqual(
      replaced.filter(([, times]) => times > 1),
      [],
      'and once each: the thawed one opened none beside',
    )
    const refused = (await fencedWrites(frozen)) - refusedBefore
    t.true(refused >= 1, 'its late writes were refused')
    t.log(
      `${mine.length} numbers had sessions elsewhere after ${Math.round(Math.min(...works.values()))} to ${Math.round(Math.max(...works.values()))} ms; ${refused} late writes refused; ${storm.accepted} sends, ${written.count} messages in`,
    )
  },
)

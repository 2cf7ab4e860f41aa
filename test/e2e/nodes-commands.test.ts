import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { Cluster, type ClusterNode } from '../helpers/cluster.ts'
import type { PairedNumber } from '../helpers/service.ts'
import { counted, IS_LONG, LEDGER_MS, sized } from '../helpers/size.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

/**
 * Rounds. In each a node joins, gets numbers, and is told to stop, so numbers move twice. Fifty rounds take ten
 * minutes.
 */
const ROUNDS = IS_LONG ? 50 : counted(5, 1)
const SESSIONS = sized(12, 6)
const CLIENTS = sized(8, 4)
/**
 * How long the engine needs to create a group, in ms: long enough for the number to be given away meanwhile, if a node
 * did that.
 */
const GROUP_MS = 300

const story = TEST_DATABASE_URL === null || TEST_REDIS_URL === null ? test.skip : test

/**
 * Whether a balancer would send requests to the node. A stopping node takes requests for a while after it stops being
 * ready, so that none is refused.
 */
async function isReady({ base }: ClusterNode): Promise<boolean> {
  return await fetch(`${base}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

interface GroupAnswer {
  readonly status: number
  readonly said: string
}

/** The answer to a new group, over a connection of its own; null when the connection was refused. */
async function makeGroup({ base }: ClusterNode, { key }: PairedNumber, subject: string): Promise<GroupAnswer | null> {
  return await new Promise((resolve) => {
    const asking = request(
      `${base}/v1/groups`,
      { method: 'POST', agent: false, headers: { 'x-api-key': key, 'content-type': 'application/json' } },
      (response) => {
        void text(response).then(
          (said) => resolve({ status: response.statusCode ?? 0, said }),
          (error: unknown) => resolve({ status: -1, said: String(error) }),
        )
      },
    )
    asking.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? null : { status: -1, said: String(error) }),
    )
    asking.end(JSON.stringify({ subject }))
  })
}

/** Clients that create groups on all numbers through all nodes, one after the other, until they are stopped. */
class Groups {
  /** Subjects of the groups that were answered 201, by number. */
  readonly made = new Map<string, string[]>()
  readonly unknown: string[] = []
  isOver = false
  #next = 0

  readonly #cluster: Cluster
  readonly #numbers: readonly PairedNumber[]

  constructor(cluster: Cluster, numbers: readonly PairedNumber[]) {
    this.#cluster = cluster
    this.#numbers = numbers
  }

  async make(): Promise<void> {
    while (!this.isOver) {
      const at = this.#next++
      const [number, nodes] = [this.#numbers[at % this.#numbers.length], this.#cluster.running]
      // The node changes once per round of numbers, so that every number is asked through every node.
      const node = nodes[Math.floor(at / this.#numbers.length) % nodes.length]
      if (!number || !node) throw new Error('nothing runs')
      if (!(await isReady(node))) continue
      const answer = await makeGroup(node, number, `Group ${at}`)
      // The request was refused before the engine was asked. The client may repeat it, so the group must not exist.
      if (answer === null || answer.status === 503) continue
      if (answer.status === 201) this.made.set(number.id, [...(this.made.get(number.id) ?? []), `Group ${at}`])
      else
        this.unknown.push(
          `Group ${at} at ${new Date().toISOString()}: ${answer.status} ${answer.said} of ${node.nodeId}`,
        )
    }
  }
}

async function holds(cluster: Cluster, { nodeId }: ClusterNode): Promise<boolean> {
  const rows = await cluster.rows(
    `select 1 from number_leases where node_id = '${nodeId}' and expires_at > clock_timestamp()`,
  )
  return rows.length > 0
}

story(
  'no command is lost while numbers move between nodes and nodes stop: every request for a group is answered, and each group is made once',
  async (t) => {
    t.timeout(LEDGER_MS)
    const cluster = await Cluster.start({ gateways: 2, env: { SHUTDOWN_DELAY_SECONDS: '1', LOG_LEVEL: 'warn' } })
    t.teardown(() => cluster.stop())
    const numbers: PairedNumber[] = []
    for (let at = 0; at < SESSIONS; at++) numbers.push(await cluster.nodes[at % 2]!.service.pairNumber())
    await cluster.nodes[0]!.service.control('POST', '/faults', {
      match: { op: 'group.create' },
      times: 1_000_000,
      delayMs: GROUP_MS,
    })
    const groups = new Groups(cluster, numbers)
    const clients = Array.from({ length: CLIENTS }, () => groups.make())
    for (let round = 0; round < ROUNDS; round++) {
      const joined = await cluster.startNode()
      await until('numbers are given to the node that joined', () => holds(cluster, joined))
      await joined.kill('SIGTERM')
      t.is(joined.program.child.exitCode, 0)
    }
    groups.isOver = true
    await Promise.all(clients)
    t.log(`${[...groups.made.values()].flat().length} groups`)
    t.deepEqual(groups.unknown, [])
    for (const number of numbers) {
      const { body } = await cluster.nodes[0]!.service.api('GET', '/v1/groups', number.key)
      t.deepEqual(
        body.groups.map(({ name }: { name: string }) => name).toSorted(),
        (groups.made.get(number.id) ?? []).toSorted(),
      )
    }
  },
)

story(
  'while an owner is frozen, a read is answered by the next owner, and a write is answered that its outcome is unknown',
  async (t) => {
    const cluster = await Cluster.start({ gateways: 2, env: { LOG_LEVEL: 'warn' } })
    t.teardown(() => cluster.stop())
    const number = await cluster.nodes[0]!.service.pairNumber()
    const owner = await until('a gateway holds the number', () => cluster.ownerOf(number.id))
    const stranger = await cluster.strangerTo(number.id)
    // The owner freezes while the group is created: it received the ask and does not answer any more.
    await stranger.service.control('POST', '/faults', { match: { op: 'group.create' }, answerDelayMs: 2_000 })
    const made = makeGroup(stranger, number, 'Once')
    await until(
      'the engine was asked',
      async () => (await stranger.service.control('GET', '/faults')).body.faults.length === 0,
    )
    owner.freeze()
    const [looked, created] = await Promise.all([stranger.service.api('GET', '/v1/groups', number.key), made])
    t.is(looked.status, 200)
    t.is(created?.status, 504)
    t.is((await cluster.ownerOf(number.id))?.nodeId, stranger.nodeId)
    owner.resume()
  },
)

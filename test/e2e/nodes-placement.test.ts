import test from 'ava'
import { Cluster, type ClusterNode } from '../helpers/cluster.ts'
import { call, type PairedNumber } from '../helpers/service.ts'
import { counted } from '../helpers/size.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'
import { WrittenMessages } from '../helpers/written-messages.ts'

/** Numbers with a session, spread evenly over three nodes at first. */
const SESSIONS = 12 * counted(25, 1)

let cluster: Cluster
let numbers: PairedNumber[]
let written: WrittenMessages

function firstNode(): ClusterNode {
  const [node] = cluster.running
  if (!node) throw new Error('no node runs')
  return node
}

async function pairAll(): Promise<PairedNumber[]> {
  const paired: PairedNumber[] = []
  const each = cluster.nodes.map(async ({ service }) => {
    for (let i = 0; i < SESSIONS / cluster.nodes.length; i++) paired.push(await service.pairNumber())
  })
  await Promise.all(each)
  return paired
}

interface HeldRow {
  readonly node_id: string
  readonly count: number
}

/** Live leases by node. */
async function heldCounts(): Promise<Map<string, number>> {
  const rows = await cluster.rows<HeldRow>(
    'select node_id, count(*)::integer as count from number_leases where node_id is not null and expires_at > clock_timestamp() group by node_id',
  )
  return new Map(rows.map(({ node_id: nodeId, count }) => [nodeId, count]))
}

/**
 * Waits until all numbers are held, no node holds more than its share times `tolerance`, and all sessions are open. How
 * much less than its share a node may hold is bounded by what the others may hold.
 */
async function untilFair(nodes: readonly ClusterNode[], tolerance: number): Promise<void> {
  const most = Math.ceil((SESSIONS / nodes.length) * tolerance)
  let counts: readonly number[] = []
  await until('each node holds its share', async () => {
    const held = await heldCounts()
    counts = nodes.map(({ nodeId }) => held.get(nodeId) ?? 0)
    return counts.reduce((sum, count) => sum + count, 0) === SESSIONS && counts.every((count) => count <= most)
  }).catch((error: unknown) => {
    throw new Error(`nodes hold ${counts.join(', ')} of ${SESSIONS}`, { cause: error })
  })
  await until('each number has its session', async () => {
    const { body } = await firstNode().service.control('GET', '/devices')
    return body.devices.every(
      ({ isAttached, state }: { isAttached: boolean; state: string }) => isAttached && state === 'OPEN',
    )
  })
}

if (TEST_DATABASE_URL === null || TEST_REDIS_URL === null) {
  test.skip('numbers are spread over nodes (TEST_DATABASE_URL and TEST_REDIS_URL are not both set)', () => {})
} else {
  test.before(async () => {
    cluster = await Cluster.start()
    numbers = await pairAll()
    written = new WrittenMessages(cluster, numbers)
  })

  test.after.always(async () => {
    await cluster?.stop()
  })

  // [nodes.placement.3]
  test.serial(
    'a node that joins is given its share of the sessions, and no message is lost or told of twice',
    async (t) => {
      await written.writeToAll()
      await cluster.startNode()
      const moved = untilFair(cluster.running, 1.1)
      const first = moved.then(
        () => 'moved',
        () => 'failed',
      )
      while (written.count < SESSIONS * 5 && (await Promise.race([first, Promise.resolve('moving')])) === 'moving')
        await written.writeToAll()
      await moved
      await written.writeToAll()
      await written.assertToldOnce(t)
    },
  )

  // [nodes.readiness.1]
  test.serial('a node tells its name, what it holds and its media hosts', async (t) => {
    for (const node of cluster.running) {
      // A machine that stands still for a while may take its link to the media host, or its numbers, for a moment.
      const { status, body } = await until('the node holds a number and knows the media host', async () => {
        const answer = await call('GET', `${node.base}/health/ready`)
        return answer.body.numbers >= 1 && answer.body.mediaHosts[0]?.connected === true ? answer : null
      })
      t.is(status, 200)
      t.is(body.nodeId, node.nodeId)
      t.is(body.liveCalls, 0)
      t.like(body.mediaHosts, [{ connected: true, draining: false }])
      t.regex(
        (await call('GET', `${node.base}/metrics`)).text,
        new RegExp(`^node_info\\{node="${node.nodeId}"\\} 1$`, 'm'),
      )
    }
  })

  // [nodes.sigterm.3] [nodes.sigterm.4]
  test.serial(
    'a node that is asked to stop is not ready at once, its numbers work elsewhere, and no request that it accepted fails',
    async (t) => {
      const leaving = cluster.running.at(-1)
      if (!leaving) return t.fail()
      const statuses: number[] = []
      const asking = (async () => {
        // Continues until the node no longer listens.
        for (let i = 0; ; i++) {
          const number = numbers[i % numbers.length]
          const answer = await leaving.service.api('GET', '/v1/status', number?.key ?? '').catch(() => null)
          const groups = await leaving.service.api('GET', '/v1/groups', number?.key ?? '').catch(() => null)
          for (const one of [answer, groups]) if (one) statuses.push(one.status)
          if (!answer) return
        }
      })()
      await until('requests are answered', () => statuses.length > 4)
      await leaving.program.kill('SIGTERM')
      await asking
      t.is(leaving.program.child.exitCode, 0)
      t.deepEqual(
        statuses.filter((status) => status >= 500),
        [],
      )
      await untilFair(cluster.running, 1.1)
      await written.writeToAll()
      await written.assertToldOnce(t)
      t.deepEqual(await cluster.rows(`select node_id from nodes where node_id = '${leaving.nodeId}'`), [], 'it is gone')
    },
  )

  test.serial('numbers of a killed node work on other nodes', async (t) => {
    const [killed, ...others] = cluster.running.toReversed()
    if (!killed) return t.fail()
    const killing = written.writeToAll()
    await killed.kill('SIGKILL')
    await killing
    await untilFair(others, 1.2)
    await written.writeToAll()
    await written.assertToldOnce(t)
  })
}

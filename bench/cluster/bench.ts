/**
 * Measures what several gateways cost: a command through a node that does not hold its number against the same command
 * on the owner, in turns (p50 at most 3 ms more, p99 at most 15 ms); sends accepted by two gateways against one (ratio
 * at least 0.9, because one machine has no more processors for two); transactions of an idle cluster per node and
 * second (at most 3). Needs TEST_DATABASE_URL and TEST_REDIS_URL.
 *
 *   node bench/cluster/bench.ts [seconds a turn]
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Cluster, type ClusterNode } from '../../test/helpers/cluster.ts'
import { countStatements, type StatementCount } from '../../test/helpers/statement-count.ts'
import type { PairedNumber } from '../../test/helpers/service.ts'
import { until } from '../../test/helpers/until.ts'
import { load } from '../load.ts'
import { at, median, type Server } from '../programs.ts'

const SECONDS = Number(process.argv[2] ?? 4)
const TURNS = 4
const ASKING = 4
/** our choice, in s: every chore that runs once a minute runs once in this time. */
const REST_SECONDS = 60

function serverOf({ program, service }: ClusterNode): Server {
  return { child: program.child, port: service.ports['port'] ?? 0, sandboxPort: 0 }
}

/** Lists groups of the number's device through a node, several requests at once; resolves to their times, in ms. */
async function asked({ base }: ClusterNode, { key }: PairedNumber): Promise<number[]> {
  const times: number[] = []
  const endMs = performance.now() + SECONDS * 1000
  await Promise.all(
    Array.from({ length: ASKING }, async () => {
      while (performance.now() < endMs) {
        const startMs = performance.now()
        const response = await fetch(`${base}/v1/groups`, { headers: { 'x-api-key': key } })
        const text = await response.text()
        if (response.status !== 200) throw new Error(`answered ${response.status} ${text}`)
        times.push(performance.now() - startMs)
      }
    }),
  )
  return times
}

async function commands(cluster: Cluster, number: PairedNumber): Promise<void> {
  const owner = await until('somebody holds the number', () => cluster.ownerOf(number.id))
  const stranger = await cluster.strangerTo(number.id)
  const times: Record<'owner' | 'stranger', number[]> = { owner: [], stranger: [] }
  for (const node of [owner, stranger]) await asked(node, number)
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, node] of turn % 2 === 0
      ? ([
          ['owner', owner],
          ['stranger', stranger],
        ] as const)
      : ([
          ['stranger', stranger],
          ['owner', owner],
        ] as const))
      times[name].push(...(await asked(node, number)))
  }
  const [own, other] = [times.owner.toSorted((a, b) => a - b), times.stranger.toSorted((a, b) => a - b)]
  for (const [name, sorted] of [
    ['owner', own],
    ['another node', other],
  ] as const) {
    console.log(
      `groups listed through ${name}: p50 ${at(sorted, 0.5).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms (${sorted.length})`,
    )
  }
  console.log(
    `over by p50 ${(at(other, 0.5) - at(own, 0.5)).toFixed(1)} ms (target 3), p99 ${(at(other, 0.99) - at(own, 0.99)).toFixed(1)} ms (target 15)`,
  )
}

async function accepts(cluster: Cluster, number: PairedNumber): Promise<void> {
  const [one, two] = cluster.nodes.map(serverOf)
  if (!one || !two) throw new Error('two gateways run')
  const bodies = [JSON.stringify({ destinationNumber: '5511990000001', text: 'bench' })]
  const ask = {
    path: '/v1/messages/send',
    headers: { 'x-api-key': number.key, 'content-type': 'application/json' },
    bodies,
  }
  const [alone, together]: [number[], number[]] = [[], []]
  await load(one, ask, SECONDS)
  for (let turn = 0; turn < TURNS; turn++) {
    alone.push((await load(one, ask, SECONDS)).perSecond)
    const both = await Promise.all([load(one, ask, SECONDS), load(two, ask, SECONDS)])
    together.push(both.reduce((sum, { perSecond }) => sum + perSecond, 0))
  }
  console.log(
    `sends accepted by two gateways ${median(together).toFixed(0)}/s, by one ${median(alone).toFixed(0)}/s: ${(median(together) / median(alone)).toFixed(2)} (target 0.9)`,
  )
}

async function atRest(cluster: Cluster, statements: StatementCount): Promise<void> {
  statements.take()
  await pause(REST_SECONDS * 1000)
  const count = [...statements.take().values()].reduce((sum, times) => sum + times, 0)
  console.log(
    `statements of a cluster at rest: ${(count / REST_SECONDS / cluster.nodes.length).toFixed(2)} a node and second (target 3)`,
  )
}

const env = { LOG_LEVEL: 'error', UNOFFICIAL_RECIPIENT_SECONDS: '0', DATABASE_POOL: '10' }

/**
 * Measures an idle cluster. It is a cluster of its own, because counting statements needs a proxy in front of the
 * database.
 */
async function rest(): Promise<void> {
  const counts: StatementCount[] = []
  const cluster = await Cluster.start({
    gateways: 2,
    env,
    async databaseWay(url) {
      const count = await countStatements(url)
      counts.push(count)
      return count.url
    },
  })
  try {
    for (const count of counts) await atRest(cluster, count)
  } finally {
    await cluster.stop()
    for (const count of counts) count.close()
  }
}

await rest()
const cluster = await Cluster.start({ gateways: 2, env })
try {
  const number = await cluster.nodes[0]!.service.pairNumber()
  await commands(cluster, number)
  await accepts(cluster, number)
} finally {
  await cluster.stop()
}

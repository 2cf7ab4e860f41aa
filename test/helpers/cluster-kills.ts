import type { Cluster, ClusterNode } from './cluster.ts'
import type { Outage } from './receiver-calls.ts'
import { until } from './until.ts'

/** The number of sessions whose lease names the node. */
async function sessionsOf(cluster: Cluster, { nodeId }: ClusterNode): Promise<number> {
  const [row] = await cluster.rows<{
    count: number
  }>(`select count(*)::integer as count from number_leases lease join channel_numbers number on number.id = lease.number_id
    where lease.node_id = '${nodeId}' and number.provider = 'UNOFFICIAL' and number.sealed_credentials is not null`)
  return row?.count ?? 0
}

/**
 * Kills random gateways with SIGKILL, one at a time, and restarts each under its name: alternately at once, while its
 * numbers are still its own, and after others have taken them over.
 */
export class ClusterKills {
  readonly #cluster: Cluster
  readonly #random: () => number
  #kills = 0
  /** The number of sessions that others took over. */
  takenOver = 0

  constructor(cluster: Cluster, random: () => number) {
    this.#cluster = cluster
    this.#random = random
  }

  async killOne(): Promise<Outage> {
    const { running } = this.#cluster
    const node = running[Math.floor(this.#random() * running.length)]
    if (!node) throw new Error('no gateway runs')
    const fromMs = performance.now()
    const held = await sessionsOf(this.#cluster, node)
    await node.kill('SIGKILL')
    if (this.#kills++ % 2 === 0) {
      await until('others hold what it held', async () => (await sessionsOf(this.#cluster, node)) === 0)
      this.takenOver += held
    }
    await this.#cluster.restartNode(node)
    return { fromMs, toMs: performance.now() }
  }
}

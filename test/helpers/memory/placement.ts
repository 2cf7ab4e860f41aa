import type { NodeId, NumberId } from '../../../src/domain/ids.ts'
import type { Fence, Leases } from '../../../src/ports/leases.ts'
import type { Placement } from '../../../src/ports/placement.ts'
import { aliveNode, type MemoryLeaseTimes } from './leases.ts'
import type { MemoryNode, MemoryRows } from './rows.ts'

/**
 * Placement in memory. A node is alive from `join` until it leaves, or until a test says that it is dead. With `times`
 * it lives as long as it is renewed.
 */
export function memoryPlacement(
  rows: MemoryRows,
  leases: Leases,
  boot = 'boot',
  times?: MemoryLeaseTimes & { readonly nowMs: () => number },
): Placement {
  const { nodeId } = leases
  const now = times?.nowMs ?? (() => performance.now())
  const graceMs = times?.graceMs ?? 0
  const isDead = (node: MemoryNode | undefined) =>
    node?.state === 'dead' || (node?.untilMs !== undefined && node.untilMs + graceMs < now())
  const isPaired = (numberId: NumberId) => rows.numbers.get(numberId)?.isPaired === true
  const isFree = (numberId: NumberId, owner: NodeId) => {
    const lease = rows.leases.get(numberId)
    return (
      lease === undefined
      || lease.token <= 0
      || (lease.owner !== owner && (lease.untilMs ?? Infinity) + graceMs < now())
    )
  }
  const wanted = () =>
    [...rows.leases]
      .filter(([numberId, lease]) => {
        const isOrphaned = lease.token > 0 && lease.owner !== nodeId && isDead(rows.nodes.get(lease.owner))
        return isPaired(numberId) && ((lease.isWanted && lease.token <= 0) || isOrphaned)
      })
      .map(([numberId]) => numberId)
  return {
    async join(isAlone) {
      const known = rows.nodes.get(nodeId)
      if (known && !isDead(known) && known.boot !== boot && !isAlone) return false
      rows.nodes.set(nodeId, aliveNode(boot, times))
      for (const [numberId, lease] of rows.leases)
        if (lease.owner === nodeId && lease.token > 0)
          rows.leases.set(numberId, { ...lease, token: -lease.token, isWanted: isPaired(numberId) })
      return true
    },
    async leave() {
      const node = rows.nodes.get(nodeId)
      if (node?.boot === boot) rows.nodes.set(nodeId, { ...node, state: 'leaving' })
    },
    async forget() {
      if (rows.nodes.get(nodeId)?.boot === boot) rows.nodes.delete(nodeId)
    },
    async census() {
      const paired = [...rows.numbers.keys()].filter(isPaired)
      const mine = paired.filter(
        (numberId) => rows.leases.get(numberId)?.owner === nodeId && (rows.leases.get(numberId)?.token ?? 0) > 0,
      )
      return {
        nodes: [...rows.nodes.values()].filter(({ state, untilMs = Infinity }) => state === 'alive' && untilMs > now())
          .length,
        numbers: paired.length,
        mine: mine.length,
      }
    },
    async look() {
      const ends = [...rows.nodes].filter(([id, node]) => id !== nodeId && !isDead(node))
      const soonestMs = Math.min(...ends.map(([, { untilMs = -Infinity }]) => untilMs - now() + graceMs))
      // Without times a node dies without notice.
      return { isWanted: wanted().length > 0, deathInMs: times ? (ends.length > 0 ? soonestMs : null) : 0 }
    },
    async claim(limit) {
      const fences: Fence[] = []
      if ((rows.nodes.get(nodeId)?.boot ?? boot) !== boot) return fences
      const ready = wanted().filter((numberId) => !times || isFree(numberId, nodeId))
      for (const numberId of ready.slice(0, limit)) {
        const token = Math.abs(rows.leases.get(numberId)?.token ?? 0) + 1
        rows.leases.set(numberId, { owner: nodeId, token, ...(times ? { untilMs: now() + times.ttlMs } : {}) })
        fences.push({ numberId, token })
      }
      return fences
    },
    async listFree(after, limit) {
      const page = [...rows.numbers.keys()]
        .filter((numberId) => isPaired(numberId) && (after === null || numberId > after))
        .toSorted()
        .slice(0, limit)
      return {
        free: page.filter((numberId) => isFree(numberId, nodeId)),
        next: page.length < limit ? null : (page.at(-1) ?? null),
      }
    },
  }
}

import type { NodeId, NumberId } from '../../../src/domain/ids.ts'
import type { Fence, Leases } from '../../../src/ports/leases.ts'
import type { Placement } from '../../../src/ports/placement.ts'
import type { MemoryRows } from './rows.ts'

/** Placement in memory. A node is alive from `join` until it leaves, or until a test removes it from `rows.nodes`. */
export function memoryPlacement(rows: MemoryRows, leases: Leases, boot = 'boot'): Placement {
  const { nodeId } = leases
  const isPaired = (numberId: NumberId) => rows.numbers.get(numberId)?.isPaired === true
  const isFree = (numberId: NumberId, owner: NodeId) => {
    const lease = rows.leases.get(numberId)
    return (
      lease === undefined
      || lease.token <= 0
      || (lease.owner !== owner && (lease.untilMs ?? Infinity) < performance.now())
    )
  }
  const wanted = () =>
    [...rows.leases]
      .filter(([numberId, lease]) => {
        const isOrphaned = lease.token > 0 && lease.owner !== nodeId && rows.nodes.get(lease.owner)?.state === 'dead'
        return isPaired(numberId) && ((lease.isWanted && lease.token <= 0) || isOrphaned)
      })
      .map(([numberId]) => numberId)
  return {
    async join(isAlone) {
      const known = rows.nodes.get(nodeId)
      if (known && known.state !== 'dead' && known.boot !== boot && !isAlone) return false
      rows.nodes.set(nodeId, { boot, state: 'alive' })
      for (const [numberId, lease] of rows.leases)
        if (lease.owner === nodeId && lease.token > 0)
          rows.leases.set(numberId, { ...lease, token: -lease.token, isWanted: isPaired(numberId) })
      return true
    },
    async leave() {
      if (rows.nodes.get(nodeId)?.boot === boot) rows.nodes.set(nodeId, { boot, state: 'leaving' })
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
        nodes: [...rows.nodes.values()].filter(({ state }) => state === 'alive').length,
        numbers: paired.length,
        mine: mine.length,
      }
    },
    // In memory a node dies without notice.
    look: async () => ({ isWanted: wanted().length > 0, deathInMs: 0 }),
    async claim(limit) {
      const fences: Fence[] = []
      if ((rows.nodes.get(nodeId)?.boot ?? boot) !== boot) return fences
      for (const numberId of wanted().slice(0, limit)) {
        const token = Math.abs(rows.leases.get(numberId)?.token ?? 0) + 1
        rows.leases.set(numberId, { owner: nodeId, token })
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

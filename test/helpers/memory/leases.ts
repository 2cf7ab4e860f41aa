import type { NodeId, NumberId } from '../../../src/domain/ids.ts'
import type { Fence, Leases } from '../../../src/ports/leases.ts'
import type { MemoryLease, MemoryRows } from './rows.ts'

/** Longer than any test; of those that let leases end, shorter. */
const NEVER = { ttlMs: 600_000, graceMs: 0 }

/** Leases in memory, by the clock of the process. */
export function memoryLeases(rows: MemoryRows, nodeId: NodeId, { ttlMs, graceMs } = NEVER): Leases {
  const now = () => performance.now()
  const isHeld = ({ token, untilMs = Infinity }: MemoryLease) => token > 0 && untilMs > now()
  return {
    nodeId,
    async acquire(numberId): Promise<Fence | null> {
      if (!rows.numbers.has(numberId)) return null
      const held = rows.leases.get(numberId)
      if (held && held.token > 0 && held.owner !== nodeId && (held.untilMs ?? Infinity) + graceMs >= now()) return null
      const token = Math.abs(held?.token ?? 0) + 1
      rows.leases.set(numberId, { owner: nodeId, token, untilMs: now() + ttlMs })
      return { numberId, token }
    },
    async renew(): Promise<NumberId[]> {
      if (rows.leaseFailing) throw new Error('database is down')
      const mine = [...rows.leases].filter(([, held]) => held.owner === nodeId && isHeld(held))
      for (const [id, held] of mine) rows.leases.set(id, { ...held, untilMs: now() + ttlMs })
      return mine.map(([id]) => id)
    },
    async reclaim(fences): Promise<NumberId[]> {
      if (rows.leaseFailing) throw new Error('database is down')
      const mine = fences.filter(({ numberId, token }) => rows.leases.get(numberId)?.owner === nodeId && rows.leases.get(numberId)?.token === token)
      for (const { numberId, token } of mine) rows.leases.set(numberId, { owner: nodeId, token, untilMs: now() + ttlMs })
      return mine.map(({ numberId }) => numberId)
    },
    async release(fence) {
      const held = rows.leases.get(fence.numberId)
      if (held?.token === fence.token && held.owner === nodeId) rows.leases.set(fence.numberId, { ...held, token: -held.token })
    },
    async ownerOf(numberId): Promise<NodeId | null> {
      const held = rows.leases.get(numberId)
      return held && isHeld(held) ? held.owner : null
    },
  }
}

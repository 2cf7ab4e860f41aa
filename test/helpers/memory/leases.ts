import type { NodeId, NumberId } from '../../../src/domain/ids.ts'
import { leaseTimesOf, type LeaseTimes } from '../../../src/domain/lease-times.ts'
import { LEASE_TTL_MS } from '../../../src/domain/limits.ts'
import type { Fence, Holder, Leases, Renewal } from '../../../src/ports/leases.ts'
import type { MemoryLease, MemoryNode, MemoryRows } from './rows.ts'

/** Longer than any test; tests that let leases expire use a shorter time. */
const NEVER = { ttlMs: 600_000, graceMs: 0 }

/** How leases in memory end. */
export interface MemoryLeaseTimes extends Pick<LeaseTimes, 'ttlMs' | 'graceMs'> {
  /** The time of the rows, in ms; the process clock when absent. With it nodes end as their leases do. */
  readonly nowMs?: (() => number) | undefined
}

/** A node as it joins: with a time of the rows it lives as long as its leases. */
export function aliveNode(
  boot: string,
  { ttlMs, nowMs }: Pick<MemoryLeaseTimes, 'ttlMs' | 'nowMs'> = NEVER,
): MemoryNode {
  return { boot, state: 'alive', ...(nowMs ? { untilMs: nowMs() + ttlMs } : {}) }
}

/** Leases in memory. */
export function memoryLeases(
  rows: MemoryRows,
  nodeId: NodeId,
  { ttlMs, graceMs, nowMs }: MemoryLeaseTimes = NEVER,
  boot = 'boot',
): Leases {
  const now = nowMs ?? (() => performance.now())
  const isHeld = ({ token, untilMs = Infinity }: MemoryLease) => token > 0 && untilMs > now()
  const isReplaced = () => (rows.nodes.get(nodeId)?.boot ?? boot) !== boot
  return {
    nodeId,
    times: leaseTimesOf(LEASE_TTL_MS),
    async acquire(numberId): Promise<Fence | null> {
      if (!rows.numbers.has(numberId) || isReplaced()) return null
      const held = rows.leases.get(numberId)
      if (held && held.token > 0 && held.owner !== nodeId && (held.untilMs ?? Infinity) + graceMs >= now()) return null
      const token = Math.abs(held?.token ?? 0) + 1
      rows.leases.set(numberId, { owner: nodeId, token, untilMs: now() + ttlMs })
      return { numberId, token }
    },
    async renew(): Promise<Renewal> {
      if (rows.leaseFailing) throw new Error('database is down')
      if (isReplaced()) return { kept: [], over: [], isReplaced: true }
      const node = rows.nodes.get(nodeId)
      if (!node || nowMs)
        rows.nodes.set(nodeId, { ...aliveNode(boot, { ttlMs, nowMs }), ...(node ? { state: node.state } : {}) })
      const named = [...rows.leases].filter(([, held]) => held.owner === nodeId && held.token > 0)
      const mine = named.filter(([, held]) => isHeld(held))
      for (const [id, held] of mine) rows.leases.set(id, { ...held, untilMs: now() + ttlMs })
      return { kept: mine.map(([id]) => id), over: named.filter(([, held]) => !isHeld(held)).map(([id]) => id) }
    },
    async reclaim(fences): Promise<NumberId[]> {
      if (rows.leaseFailing) throw new Error('database is down')
      const mine = fences.filter(
        ({ numberId, token }) =>
          rows.leases.get(numberId)?.owner === nodeId && rows.leases.get(numberId)?.token === token,
      )
      for (const { numberId, token } of mine)
        rows.leases.set(numberId, { owner: nodeId, token, untilMs: now() + ttlMs })
      return mine.map(({ numberId }) => numberId)
    },
    async release(fence, isWanted = false) {
      const held = rows.leases.get(fence.numberId)
      if (held?.token === fence.token && held.owner === nodeId)
        rows.leases.set(fence.numberId, {
          ...held,
          token: -held.token,
          isWanted: isWanted && rows.numbers.get(fence.numberId)?.isPaired === true,
        })
    },
    async ownerOf(numberId): Promise<Holder | null> {
      const held = rows.leases.get(numberId)
      return held && isHeld(held)
        ? { nodeId: held.owner, token: held.token, leftMs: Math.ceil((held.untilMs ?? Infinity) - now()) }
        : null
    },
  }
}

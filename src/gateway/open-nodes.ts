import { pause } from '../../actors/engine/pause.ts'
import { randomUUID } from 'node:crypto'
import { RowLeases } from '../cluster/lease-rows.ts'
import { RowPlacement } from '../cluster/placement-rows.ts'
import { leaseTimesOf } from '../domain/lease-times.ts'
import type { Leases } from '../ports/leases.ts'
import type { Placement } from '../ports/placement.ts'
import { StartFault } from '../process/start-fault.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'

/** Rows by which this node knows the others. */
export interface Nodes {
  readonly leases: Leases
  readonly placement: Placement
  /** Names this process in its row among the nodes; new at each start. */
  readonly processId: string
}

/**
 * Counts this node among the living ones. A name kept in the data directory belongs to this node alone, because the
 * directory is locked. A name that operators gave may still be that of a process that was killed just now, so its
 * leases are awaited. When they do not end, that process lives on, and two nodes of one name would both run a number:
 * then it throws a StartFault.
 */
export async function openNodes(
  { config, nodeId, clock, upkeep }: Core,
  { database }: Pick<Storage, 'database'>,
): Promise<Nodes> {
  const [times, boot] = [leaseTimesOf(config.leaseTtlMs), randomUUID()]
  const placement = new RowPlacement({ database, nodeId, times, boot })
  const untilMs = clock.monotonicMs() + times.ttlMs + times.graceMs + times.renewMs
  while (!(await placement.join(config.nodeId === null))) {
    if (clock.monotonicMs() >= untilMs)
      throw new StartFault('NODE_ID names another gateway that runs: give each one of its own')
    await pause(clock, times.checkMs)
  }
  let alive = 1
  upkeep.sharedBy(() => alive)
  const counted: Placement = {
    join: (isAlone) => placement.join(isAlone),
    leave: () => placement.leave(),
    forget: () => placement.forget(),
    look: () => placement.look(),
    claim: (limit) => placement.claim(limit),
    listFree: (after, limit) => placement.listFree(after, limit),
    async census() {
      const census = await placement.census()
      alive = census.nodes
      return census
    },
  }
  return { leases: new RowLeases(database, nodeId, times, boot), placement: counted, processId: boot }
}

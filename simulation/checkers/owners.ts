import type { Cluster } from '../cluster.ts'
import { TIMES } from '../database.ts'
import type { Session } from '../engines/session.ts'
import type { Machine } from '../machine.ts'

/**
 * Whether a process must know by now that a number is another one's. One that was frozen knows nothing of what happened
 * meanwhile until it renews its leases.
 */
function mustKnow(machine: Machine): boolean {
  return machine.hasRunFor(2 * TIMES.renewMs)
}

/** Watches that no two nodes run sessions of one number at once, and that no two engines have sockets of one. */
export function watchOwners({ engines, upstream }: Cluster): string[] {
  const broken: string[] = []
  const open = new Map<string, Session[]>()
  engines.opened = (session) => {
    const others = (open.get(session.numberId) ?? []).filter((other) => !other.isClosed)
    for (const other of others)
      if (other.owner !== session.owner && mustKnow(other.owner) && mustKnow(session.owner))
        broken.push(`${session.owner.name} opened a session of a number that ${other.owner.name} runs`)
    open.set(session.numberId, [...others, session])
  }
  upstream.connected = ({ engine, numberId }, former) => {
    if (former && !former.isOver && mustKnow(former.engine.machine) && mustKnow(engine.machine))
      broken.push(`${engine.id} opened a socket of ${numberId}, which ${former.engine.id} has`)
  }
  return broken
}

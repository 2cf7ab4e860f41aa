import { TIMES } from '../database.ts'
import type { Session, Upstream } from '../upstream.ts'

/**
 * Watches that no two nodes run sessions of one number at once. A node that was frozen knows nothing of what happened
 * meanwhile until it renews its leases, so it counts once it has run that long.
 */
export function watchOwners(upstream: Upstream): string[] {
  const broken: string[] = []
  const open = new Map<string, Session[]>()
  upstream.opened = (session) => {
    const others = (open.get(session.numberId) ?? []).filter((other) => !other.isClosed)
    for (const other of others)
      if (other.owner !== session.owner && other.owner.hasRunFor(2 * TIMES.renewMs))
        broken.push(`${session.owner.name} opened a session of a number that ${other.owner.name} runs`)
    open.set(session.numberId, [...others, session])
  }
  return broken
}

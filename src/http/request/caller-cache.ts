import { hash as hashOf } from 'node:crypto'
import { BoundedMemory } from '../../domain/bounded-memory.ts'
import { goesWith, type Caller } from '../../domain/caller.ts'
import type { Broadcast } from '../../ports/broadcast.ts'
import type { Clock } from '../../ports/clock.ts'

/**
 * Broadcast topic. Its text is the id whose callers are dropped: that of a caller, or of a number or a tenant with all
 * that act for it.
 */
export const KEY_ROTATED = 'key.rotated'

/** our choice: enough for every active key of a node, at about 300 bytes each. */
const MAX_CALLERS = 10_000

/** Remembers the caller of a credential for a moment, by hash: raw keys are not kept in memory. */
export interface CallerCache {
  /** The remembered caller, or the one `look` finds. Unknown credentials are never remembered. */
  recall(credential: string, look: () => Promise<Caller | null>): Promise<Caller | null>
  /**
   * Forgets the caller of this id, or all that act for this number or this whole tenant, here and on every other node.
   * Never throws.
   */
  revoke(id: string): Promise<void>
  /** Calls a listener with each id that is revoked, here or on another node. */
  onRevoked(listener: (id: string) => void): void
}

export interface CallerCacheDeps {
  readonly broadcast: Broadcast
  readonly clock: Clock
  /**
   * How long a proven caller is remembered, in ms; 0 turns it off. Rotations drop it at once on every node that hears
   * the broadcast. At 2 s or less a node that does not hear it follows in time ([people.owners.3],
   * [nodes.redis-away.2]).
   */
  readonly callerCacheMs: number
}

/** Makes the cache and starts listening for rotations on other nodes. */
export function createCallerCache(deps: CallerCacheDeps): CallerCache {
  const byHash = new BoundedMemory<Caller>({ most: MAX_CALLERS }, { ms: deps.callerCacheMs, clock: deps.clock })
  const listeners: ((id: string) => void)[] = []

  function drop(id: string): void {
    byHash.forget((caller) => goesWith(caller, id))
    for (const listener of listeners) listener(id)
  }

  deps.broadcast.subscribe(KEY_ROTATED, drop)

  return {
    recall: (credential, look) => byHash.find(hashOf('sha256', credential, 'base64'), look, 'asked'),
    onRevoked: (listener) => void listeners.push(listener),
    async revoke(id) {
      drop(id)
      await deps.broadcast.publish(KEY_ROTATED, id)
    },
  }
}

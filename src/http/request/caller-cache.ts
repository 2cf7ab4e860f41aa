import { hash as hashOf } from 'node:crypto'
import { goesWith, type Caller } from '../../domain/caller.ts'
import type { Broadcast } from '../../ports/broadcast.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'

/**
 * Broadcast topic; the text is the id whose callers are dropped: a caller, or a number or a tenant with all that act
 * for it.
 */
export const KEY_ROTATED = 'key.rotated'

/** Our choice: enough for every active key of a node, at about 300 bytes each. */
const MAX_CALLERS = 10_000

interface Remembered {
  readonly caller: Caller
  readonly untilMs: number
}

/** Remembers who a credential proved to be, for a moment, by hash: raw keys are not kept in memory. */
export interface CallerCache {
  /** The remembered caller, or the one `look` finds. Unknown credentials are never remembered. */
  recall(credential: string, look: () => Promise<Caller | null>): Promise<Caller | null>
  /**
   * Forgets the caller of this id, or all that act for this number or this whole tenant, here and on every other node.
   * Never throws.
   */
  revoke(id: string): Promise<void>
  /** Tells a listener of each id that is revoked, here or on another node. */
  onRevoked(listener: (id: string) => void): void
}

export interface CallerCacheDeps {
  readonly broadcast: Broadcast
  readonly clock: Clock
  readonly log: Log
  /**
   * How long a proven caller is remembered, in ms. Rotations drop it at once on every node that
   * hears the broadcast; keep it at 2 s or less so that a node that does not hear follows soon. 0 turns it off.
   */
  readonly callerCacheMs: number
}

/** Makes the cache and starts listening for rotations on other nodes. */
export function createCallerCache(deps: CallerCacheDeps): CallerCache {
  const byHash = new Map<string, Remembered>()
  /** Rises with each revocation: a look-up that began before one must not be remembered after it. */
  let revocations = 0
  const listeners: ((id: string) => void)[] = []

  function drop(id: string): void {
    revocations++
    for (const listener of listeners) listener(id)
    for (const [hash, { caller }] of byHash) {
      if (goesWith(caller, id)) byHash.delete(hash)
    }
  }

  deps.broadcast.subscribe(KEY_ROTATED, drop)

  return {
    async recall(credential, look) {
      const hash = hashOf('sha256', credential, 'base64')
      const nowMs = deps.clock.monotonicMs()
      const known = byHash.get(hash)
      if (known && known.untilMs > nowMs) return known.caller
      byHash.delete(hash)
      const begun = revocations
      const caller = await look()
      if (caller && begun === revocations && deps.callerCacheMs > 0) {
        makeRoom(byHash)
        byHash.set(hash, { caller, untilMs: nowMs + deps.callerCacheMs })
      }
      return caller
    },
    onRevoked: (listener) => void listeners.push(listener),
    async revoke(id) {
      drop(id)
      try {
        await deps.broadcast.publish(KEY_ROTATED, id)
      } catch {
        deps.log.warn(
          { topic: KEY_ROTATED },
          'other nodes were not told of a rotation; their caches expire by themselves',
        )
      }
    },
  }
}

/** Drops the oldest entry of a full cache (a Map keeps the order of insertion). */
function makeRoom(byHash: Map<string, Remembered>): void {
  if (byHash.size < MAX_CALLERS) return
  const oldest = byHash.keys().next().value
  if (oldest !== undefined) byHash.delete(oldest)
}

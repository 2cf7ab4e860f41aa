import type { NumberId } from '../../../domain/ids.ts'
import type { Broadcast } from '../../../ports/broadcast.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { InboundStore, InboundTarget } from '../../../ports/stores/inbound-store.ts'

/** Broadcast topic; the text is the number whose app secret may be another one. */
export const SECRET_REPLACED = 'official.secret'

/** Our choice: bounds how long a removed number is remembered, and an old secret by a node that did not hear of the new one. */
const REMEMBERED_MS = 5_000
/** Our choice: enough for the active accounts of a node. */
const MAX_TARGETS = 10_000

/** Where webhooks are addressed to, remembered for a moment: upstream posts many in a row. Unknown ones are not. */
export interface TargetCache {
  find(id: string): Promise<InboundTarget | null>
  /** Forgets the number here and on every other node. Never throws. */
  forget(numberId: NumberId): Promise<void>
}

export interface TargetCacheDeps {
  readonly inbound: Pick<InboundStore, 'findTarget'>
  readonly broadcast: Broadcast
  readonly clock: Clock
  readonly log: Log
}

/** Makes the cache and starts listening for secrets that were replaced on other nodes. */
export function createTargetCache({ inbound, broadcast, clock, log }: TargetCacheDeps): TargetCache {
  const known = new Map<string, { readonly target: InboundTarget, readonly untilMs: number }>()
  /** Rises with each secret that is forgotten: a look-up that began before must not be remembered after it. */
  let forgotten = 0
  const drop = (numberId: string): void => {
    forgotten++
    for (const [id, { target }] of known) if (target.numberId === numberId) known.delete(id)
  }
  broadcast.subscribe(SECRET_REPLACED, drop)
  return {
    async find(id) {
      const entry = known.get(id)
      if (entry && entry.untilMs > clock.monotonicMs()) return entry.target
      known.delete(id)
      const begun = forgotten
      const target = await inbound.findTarget(id)
      if (!target || begun !== forgotten) return target
      const oldest = known.size >= MAX_TARGETS ? known.keys().next().value : undefined
      if (oldest !== undefined) known.delete(oldest)
      known.set(id, { target, untilMs: clock.monotonicMs() + REMEMBERED_MS })
      return target
    },
    async forget(numberId) {
      drop(numberId)
      try {
        await broadcast.publish(SECRET_REPLACED, numberId)
      } catch {
        log.warn({ topic: SECRET_REPLACED }, 'other nodes were not told of a new app secret; they read it within seconds')
      }
    },
  }
}

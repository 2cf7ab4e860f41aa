import type { NumberId } from '../../../domain/ids.ts'
import type { Broadcast } from '../../../ports/broadcast.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { InboundStore, InboundTarget } from '../../../ports/stores/inbound-store.ts'
import { createRemembered } from '../../../domain/remembered.ts'

/** Broadcast topic; the text is the number whose app secret may be another one. */
export const SECRET_REPLACED = 'official.secret'

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
  const known = createRemembered<InboundTarget>(clock)
  const drop = (numberId: string): void => known.forget((target) => target.numberId === numberId)
  broadcast.subscribe(SECRET_REPLACED, drop)
  return {
    find: (id) => known.find(id, () => inbound.findTarget(id)),
    async forget(numberId) {
      drop(numberId)
      try {
        await broadcast.publish(SECRET_REPLACED, numberId)
      } catch {
        log.warn(
          { topic: SECRET_REPLACED },
          'other nodes were not told of a new app secret; they read it within seconds',
        )
      }
    },
  }
}

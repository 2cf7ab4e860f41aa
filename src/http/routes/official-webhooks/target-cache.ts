import type { Broadcast } from '../../../ports/broadcast.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { InboundStore, InboundTarget } from '../../../ports/stores/inbound-store.ts'
import { createRemembered } from '../../../domain/remembered.ts'

/** Broadcast topic; the text is the number whose app secret may be another one. */
export const SECRET_REPLACED = 'official.secret'

/** Where webhooks are addressed to, remembered for a moment: upstream posts many in a row. Unknown ones are not. */
export interface TargetCache {
  find(id: string): Promise<InboundTarget | null>
}

export interface TargetCacheDeps {
  readonly inbound: Pick<InboundStore, 'findTarget'>
  readonly broadcast: Broadcast
  readonly clock: Clock
}

/** Makes the cache and starts listening for secrets that were replaced, here or on other nodes. */
export function createTargetCache({ inbound, broadcast, clock }: TargetCacheDeps): TargetCache {
  const known = createRemembered<InboundTarget>(clock)
  broadcast.subscribe(SECRET_REPLACED, (id) => known.forget(({ numberId }) => numberId === id))
  return { find: (id) => known.find(id, () => inbound.findTarget(id)) }
}

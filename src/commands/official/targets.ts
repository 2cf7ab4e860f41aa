import { createRemembered } from '../../domain/remembered.ts'
import type { InboundTarget } from '../../ports/stores/inbound-store.ts'
import type { OfficialPorts } from './ports.ts'

/** Broadcast topic. Its text is the id of the number whose app secret may have changed. */
export const SECRET_REPLACED = 'official.secret'

/**
 * The targets of webhooks, by the id of a number or an account. They are remembered for a moment, because upstream
 * posts many in a row; unknown ids are not remembered.
 */
export interface Targets {
  find(id: string): Promise<InboundTarget | null>
}

/** Makes this memory, and listens for secrets that are replaced, here or on other nodes. */
export function createTargets({ inbound, broadcast, clock }: OfficialPorts): Targets {
  const known = createRemembered<InboundTarget>(clock)
  broadcast.subscribe(SECRET_REPLACED, (id) => known.forget(({ numberId }) => numberId === id))
  return { find: (id) => known.find(id, () => inbound.findTarget(id)) }
}

import { createRemembered } from '../../domain/remembered.ts'
import type { InboundTarget } from '../../ports/stores/inbound-store.ts'
import type { OfficialPorts } from './ports.ts'

/** Broadcast topic; the text is the number whose app secret may be another one. */
export const SECRET_REPLACED = 'official.secret'

/**
 * Where webhooks are addressed to, by the id of a number or an account. They are remembered for a moment: upstream
 * posts many in a row. Unknown ones are not.
 */
export interface Targets {
  find(id: string): Promise<InboundTarget | null>
}

/** Makes the memory of them, and listens for secrets that were replaced, here or on other nodes. */
export function createTargets({ inbound, broadcast, clock }: OfficialPorts): Targets {
  const known = createRemembered<InboundTarget>(clock)
  broadcast.subscribe(SECRET_REPLACED, (id) => known.forget(({ numberId }) => numberId === id))
  return { find: (id) => known.find(id, () => inbound.findTarget(id)) }
}

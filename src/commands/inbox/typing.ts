import type { DeviceOps } from '../../domain/device-ops.ts'
import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { TenantId } from '../../domain/ids.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import type { InboxConversation } from '../../ports/stores/inbox-store.ts'
import type { InboxPorts } from './ports.ts'

type Typing = DeviceOps['showTyping']

export interface InboxTypingInput {
  readonly tenantId: TenantId
  readonly conversation: InboxConversation
  readonly state: Typing['input']['state']
}

/**
 * Shows in a conversation that the number writes, as any typing ([embeds.typing.1]). Refusals beside those of typing:
 * NUMBER_NOT_FOUND, FEATURE_NOT_SUPPORTED where the kind of number cannot, and in channels, where nobody is shown it.
 */
export async function showInboxTyping(
  { numbers, messageCommands }: InboxPorts,
  { tenantId, conversation: { id, numberId, type }, state }: InboxTypingInput,
): Promise<Outcome<Typing['value']>> {
  const number = await numbers.find(tenantId, numberId)
  if (!number) return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  if (type === 'NEWSLETTER' || !kindOf(number).can.typing)
    return fail(refuse('FEATURE_NOT_SUPPORTED', 'Nobody is shown who writes here', { capability: 'typing' }))
  return messageCommands.showTyping({ numberId, at: { conversationId: id }, state })
}

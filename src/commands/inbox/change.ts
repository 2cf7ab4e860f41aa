import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { TenantId } from '../../domain/ids.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import type { Message } from '../../domain/message.ts'
import type { InboxMessage } from '../../ports/stores/inbox-store.ts'
import type { InboxPorts } from './ports.ts'

export interface ChangeOwnInput {
  readonly tenantId: TenantId
  readonly message: InboxMessage
  /** The new text; null takes the message back. */
  readonly text: string | null
}

/**
 * Changes a message that the number sent, for everybody, as any change ([embeds.changes.1] [embeds.changes.2]).
 * Refusals beside those of changes: NUMBER_NOT_FOUND, FEATURE_NOT_SUPPORTED where the kind of number cannot.
 */
export async function changeOwnMessage(
  { numbers, messageCommands }: InboxPorts,
  { tenantId, message, text }: ChangeOwnInput,
): Promise<Outcome<Message>> {
  const number = await numbers.find(tenantId, message.numberId)
  if (!number) return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  const capability = text === null ? 'revocations' : 'edits'
  if (!kindOf(number).can[capability])
    return fail(
      refuse('FEATURE_NOT_SUPPORTED', `${number.provider} numbers do not change what they sent`, { capability }),
    )
  return messageCommands.change({ numberId: number.id, anyId: message.id, text })
}

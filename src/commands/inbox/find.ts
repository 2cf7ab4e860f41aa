import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { InboxConversation, InboxMessage } from '../../ports/stores/inbox-store.ts'
import type { InboxPorts } from './ports.ts'

/** Finds a conversation of these numbers. Refusal: CONVERSATION_NOT_FOUND, also for a conversation of other numbers. */
export async function findConversation(
  { inboxReads }: InboxPorts,
  numberIds: readonly NumberId[],
  id: string,
): Promise<Outcome<InboxConversation>> {
  const [found] = await inboxReads.conversationsOf(numberIds, [id])
  return found ? succeed(found) : fail(refuse('CONVERSATION_NOT_FOUND', 'No such conversation'))
}

/** Finds a message of these numbers. Refusal: NOT_FOUND. */
export async function findInboxMessage(
  { inboxReads }: InboxPorts,
  numberIds: readonly NumberId[],
  id: string,
): Promise<Outcome<InboxMessage>> {
  const [found] = await inboxReads.messagesOf(numberIds, [id])
  return found ? succeed(found) : fail(refuse('NOT_FOUND', 'No such message'))
}

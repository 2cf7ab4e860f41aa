import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { InboxConversation, InboxMessage, InboxStore } from '../../ports/stores/inbox-store.ts'

/** A conversation of some numbers. Refusal: CONVERSATION_NOT_FOUND, whether it is of others or of nobody. */
export async function findConversation(
  reads: Pick<InboxStore, 'conversationsOf'>,
  numberIds: readonly NumberId[],
  id: string,
): Promise<Outcome<InboxConversation>> {
  const [found] = await reads.conversationsOf(numberIds, [id])
  return found ? succeed(found) : fail(refuse('CONVERSATION_NOT_FOUND', 'No such conversation'))
}

/** A message of some numbers. Refusal: NOT_FOUND. */
export async function findInboxMessage(
  reads: Pick<InboxStore, 'messagesOf'>,
  numberIds: readonly NumberId[],
  id: string,
): Promise<Outcome<InboxMessage>> {
  const [found] = await reads.messagesOf(numberIds, [id])
  return found ? succeed(found) : fail(refuse('NOT_FOUND', 'No such message'))
}

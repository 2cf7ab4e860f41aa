import type { Outcome } from '../../domain/errors.ts'
import type { ConversationMarks } from '../../ports/stores/conversation-mark-store.ts'
import type { InboxConversation } from '../../ports/stores/inbox-store.ts'
import { findConversation } from './find.ts'
import type { InboxPorts } from './ports.ts'

/**
 * Marks a conversation as unread, archives it or takes it back, and answers it as it is then ([embeds.marks.1] to
 * [embeds.marks.4]). Neither upstream nor the peer is told. Refusal: CONVERSATION_NOT_FOUND.
 */
export async function markConversation(
  ports: InboxPorts,
  { numberId, id }: InboxConversation,
  marks: ConversationMarks,
): Promise<Outcome<InboxConversation>> {
  await ports.conversationMarks.mark(numberId, id, marks)
  return findConversation(ports, [numberId], id)
}

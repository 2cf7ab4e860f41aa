import type { NumberId } from '../../domain/ids.ts'
import type { FoundMessage, InboxConversation } from '../../ports/stores/inbox-store.ts'
import type { InboxPorts } from './ports.ts'

/** At most so many conversations, and as many messages, are answered [embeds.inbox-routes.10]. */
const FOUND = 20

/**
 * Searches the numbers' conversations, by names and numbers, and their messages, by text; the newest come first
 * ([embeds.inbox-routes.10]). Within one conversation only its messages are searched.
 */
export async function searchInbox(
  { inboxReads }: InboxPorts,
  numberIds: readonly NumberId[],
  text: string,
  conversationId: string | null,
): Promise<{ readonly conversations: readonly InboxConversation[]; readonly messages: readonly FoundMessage[] }> {
  const [{ items }, messages] = await Promise.all([
    conversationId === null
      ? inboxReads.conversations(numberIds, { filter: 'every', search: text, limit: FOUND, before: null })
      : { items: [] },
    inboxReads.search(numberIds, { text, conversationId, limit: FOUND }),
  ])
  return { conversations: items, messages }
}

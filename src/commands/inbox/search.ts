import type { NumberId } from '../../domain/ids.ts'
import type { FoundMessage, InboxConversation } from '../../ports/stores/inbox-store.ts'
import type { InboxPorts } from './ports.ts'

/** contract 17. */
const FOUND = 20

/** What the numbers have of a text, the newest first: in names and numbers, and in messages (contract 17). */
export async function searchInbox(
  { inboxReads }: InboxPorts,
  numberIds: readonly NumberId[],
  text: string,
): Promise<{ readonly conversations: readonly InboxConversation[]; readonly messages: readonly FoundMessage[] }> {
  const [{ items }, messages] = await Promise.all([
    inboxReads.conversations(numberIds, { isUnreadOnly: false, search: text, limit: FOUND, before: null }),
    inboxReads.search(numberIds, text, FOUND),
  ])
  return { conversations: items, messages }
}

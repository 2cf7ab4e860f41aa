import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { ConversationMarks } from '../../ports/stores/conversation-mark-store.ts'
import type {
  ConversationQuery,
  InboxConversation,
  InboxMessage,
  MessageQuery,
} from '../../ports/stores/inbox-store.ts'
import { readCardPicture } from './card-picture.ts'
import { changeOwnMessage } from './change.ts'
import type { ChangeOwnInput } from './change.ts'
import { findConversation, findInboxMessage } from './find.ts'
import { markConversation } from './mark.ts'
import { readInboxMedia } from './media.ts'
import type { InboxPorts } from './ports.ts'
import { retryMessage } from './retry.ts'
import type { RetryInput } from './retry.ts'
import { searchInbox } from './search.ts'
import { sendInConversation } from './send.ts'
import type { InboxSendInput } from './send.ts'
import { conversationWith, startConversation } from './start.ts'
import type { Destined, StartInput } from './start.ts'
import { sendableTemplates } from './templates.ts'
import { showInboxTyping } from './typing.ts'
import type { InboxTypingInput } from './typing.ts'

/** The commands of the inbox of an embed session. */
export type InboxCommands = ReturnType<typeof createInbox>

/** Makes the commands of inboxes. */
export function createInbox(ports: InboxPorts) {
  const { inboxReads, messageCommands, files } = ports
  return {
    conversations: (numberIds: readonly NumberId[], query: ConversationQuery) =>
      inboxReads.conversations(numberIds, query),
    conversationsOf: (numberIds: readonly NumberId[], ids: readonly string[]) =>
      inboxReads.conversationsOf(numberIds, ids),
    conversation: (numberIds: readonly NumberId[], id: string) => findConversation(ports, numberIds, id),
    markRead: ({ numberId, id }: InboxConversation) => messageCommands.markRead({ numberId, conversationId: id }),
    mark: (conversation: InboxConversation, marks: ConversationMarks) => markConversation(ports, conversation, marks),
    messages: (numberIds: readonly NumberId[], conversationId: string, query: MessageQuery) =>
      inboxReads.messages(numberIds, conversationId, query),
    message: (numberIds: readonly NumberId[], id: string) => findInboxMessage(ports, numberIds, id),
    readMedia: (tenantId: TenantId, message: InboxMessage) => readInboxMedia(ports, tenantId, message),
    readCardPicture: (tenantId: TenantId, message: InboxMessage, place: number) =>
      readCardPicture(ports, tenantId, message, place),
    search: (numberIds: readonly NumberId[], text: string, conversationId: string | null) =>
      searchInbox(ports, numberIds, text, conversationId),
    templates: (tenantId: TenantId, numberId: NumberId | null, name: string | null) =>
      sendableTemplates(ports, tenantId, numberId, name),
    /** Takes a file that came with a request, for a send; `drop` of what it answers forgets it. */
    adopt: (path: string, sizeBytes: number) => files.adopt(path, sizeBytes),
    send: (input: InboxSendInput) => sendInConversation(ports, input),
    conversationWith: (destined: Destined) => conversationWith(ports, destined),
    start: (input: StartInput) => startConversation(ports, input),
    retry: (input: RetryInput) => retryMessage(ports, input),
    change: (input: ChangeOwnInput) => changeOwnMessage(ports, input),
    showTyping: (input: InboxTypingInput) => showInboxTyping(ports, input),
  }
}

import type { Conversation } from '../../../domain/message.ts'

/** A conversation as answered ([messages.routes.8]). */
export function presentConversation(conversation: Conversation) {
  return {
    id: conversation.id,
    type: conversation.type,
    from: conversation.peer,
    fromName: conversation.peerName,
    identities: conversation.identities.map(({ kind, value, since }) => ({ kind, value, since: since.toISOString() })),
    unreadCount: conversation.unreadCount,
    lastMessageAt: conversation.lastMessageAt?.toISOString() ?? null,
    lastMessagePreview: conversation.lastMessagePreview,
    windowExpiresAt: conversation.windowExpiresAt?.toISOString() ?? null,
    createdAt: conversation.createdAt.toISOString(),
  }
}

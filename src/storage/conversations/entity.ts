import { defineEntity, p } from '@mikro-orm/core'
import type { ConversationId, MessageId, NumberId, TenantId } from '../../domain/ids.ts'
import type { ConversationType } from '../../domain/message.ts'

export const ConversationEntity = defineEntity({
  name: 'Conversation',
  tableName: 'conversations',
  indexes: [
    {
      name: 'conversations_newest',
      columns: [
        { name: 'number_id' },
        { name: 'last_message_at', sort: 'desc' },
        { name: 'last_message_id', sort: 'desc' },
      ],
    },
    {
      name: 'conversations_unread',
      columns: [
        { name: 'number_id' },
        { name: 'last_message_at', sort: 'desc' },
        { name: 'last_message_id', sort: 'desc' },
      ],
      where: 'unread_count > 0 or marked_unread',
    },
    {
      name: 'conversations_archived',
      columns: [
        { name: 'number_id' },
        { name: 'last_message_at', sort: 'desc' },
        { name: 'last_message_id', sort: 'desc' },
      ],
      where: 'archived_at is not null',
    },
    {
      name: 'conversations_uncounted',
      columns: [{ name: 'number_id' }],
      where: 'marked_unread or (archived_at is not null and unread_count > 0)',
    },
  ],
  properties: {
    /** Made from number and the address that the peer was known by at first. */
    id: p.text().$type<ConversationId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    type: p.text().$type<ConversationType>(),
    peer: p.text().nullable(),
    peerName: p.text().nullable(),
    unreadCount: p.integer().default(0),
    lastMessageId: p.text().$type<MessageId>().nullable(),
    lastMessageAt: p.datetime(3),
    lastInboundAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    /** Somebody marked it as unread, and it was not read since. */
    markedUnread: p.boolean().default(false),
    /** Null while it is not archived. */
    archivedAt: p.datetime(3).nullable(),
  },
})

/** An id that leads to a conversation: made from an address of its peer, or that of a conversation that joined it. */
export const ConversationAliasEntity = defineEntity({
  name: 'ConversationAlias',
  tableName: 'conversation_aliases',
  indexes: [
    { name: 'conversation_aliases_age', properties: ['createdAt'] },
    { name: 'conversation_aliases_number', properties: ['numberId'] },
    { name: 'conversation_aliases_conversation', properties: ['conversationId'] },
  ],
  properties: {
    id: p.text().$type<ConversationId>().primary(),
    numberId: p.text().$type<NumberId>(),
    conversationId: p.text().$type<ConversationId>(),
    /** When it began to lead there. */
    createdAt: p.datetime(3),
    /** Null when privacy keeps none, or when it was not kept yet. */
    address: p.text().nullable(),
    /** When upstream first named the address; null when that was not kept yet. */
    since: p.datetime(3).nullable(),
  },
})

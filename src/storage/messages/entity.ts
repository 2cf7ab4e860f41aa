import { defineEntity, p } from '@mikro-orm/core'
import type {
  ConversationId,
  FlowId,
  MessageBatchId,
  MessageId,
  NumberId,
  TemplateId,
  TenantId,
} from '../../domain/ids.ts'
import type { ConversationType, MessageDirection, MessageStatus, MessageType } from '../../domain/message.ts'
import type { ProviderKind } from '../../domain/number.ts'
import type { Trace } from '../../domain/trace.ts'
import type { PriceCategory } from '../../domain/usage.ts'
import type { StoredContent } from './content.ts'

export const MessageEntity = defineEntity({
  name: 'Message',
  tableName: 'messages',
  uniques: [{ name: 'messages_external_id', properties: ['numberId', 'externalId'], where: 'external_id is not null' }],
  indexes: [
    {
      name: 'messages_correlation',
      properties: ['numberId', 'correlationId', 'position'],
      where: 'correlation_id <> id',
    },
    { name: 'messages_batch', properties: ['batchId'], where: "batch_id <> ''" },
    {
      name: 'messages_due',
      properties: ['numberId', 'batchId', 'dueAt', 'position'],
      where: 'due_at is not null',
    },
    {
      name: 'messages_expiring',
      properties: ['deliverUntil'],
      where: 'due_at is not null and deliver_until is not null',
    },
    { name: 'messages_flow_token', properties: ['numberId', 'flowToken', 'position'], where: 'flow_token is not null' },
    {
      name: 'messages_groups',
      columns: [
        { name: 'number_id' },
        { name: 'direction' },
        { name: 'created_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
      where: "conversation_type = 'GROUP'",
    },
    {
      name: 'messages_held',
      properties: ['numberId', 'heldSince'],
      where: 'due_at is not null and held_since is not null',
    },
    {
      name: 'messages_history',
      columns: [
        { name: 'number_id' },
        { name: 'direction' },
        { name: 'created_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
      include: ['conversationType'],
    },
    {
      name: 'messages_peer',
      columns: [
        { name: 'conversation_id' },
        { name: 'direction' },
        { name: 'created_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
    },
    {
      name: 'messages_put_off',
      properties: ['numberId', 'notBefore'],
      where: 'due_at is not null and not_before is not null',
    },
    {
      name: 'messages_queue',
      properties: ['numberId', 'conversationId', 'dueAt', 'position'],
      where: 'due_at is not null',
    },
    {
      name: 'messages_unread',
      columns: [{ name: 'number_id' }, { name: 'created_at', sort: 'desc' }, { name: 'id', sort: 'desc' }],
      where: 'is_unread',
    },
    { name: 'messages_unread_conversation', properties: ['conversationId'], where: 'is_unread' },
    { name: 'messages_unsupported', properties: ['numberId', 'externalId'], where: "type = 'unsupported'" },
  ],
  properties: {
    /** Position, which rises in the order in which messages were stored. */
    position: p.bigint('number').primary().generated('identity'),
    id: p.text().$type<MessageId>().unique('messages_id'),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    provider: p.text().$type<ProviderKind>(),
    conversationId: p.text().$type<ConversationId>(),
    conversationType: p.text().$type<ConversationType>(),
    direction: p.text().$type<MessageDirection>(),
    status: p.text().$type<MessageStatus>(),
    type: p.text().$type<MessageType>(),
    /** JSON as text, because what users write may hold what jsonb refuses. Null when it is not kept. */
    content: p.json<StoredContent>().columnType('text').nullable(),
    fromAddress: p.text().nullable(),
    fromName: p.text().nullable(),
    toAddress: p.text().nullable(),
    /** The key that all upstream ids of the message hold; see message-keys/ids.ts. */
    externalId: p.text().nullable(),
    /** The upstream id as it came; null when it is the key. */
    externalForm: p.text().nullable(),
    /** The upstream id of the quoted message, as it came. */
    quotedId: p.text().nullable(),
    /** The key of `quotedId`; null when it is the key. */
    quotedKey: p.text().nullable(),
    correlationId: p.text().nullable(),
    template: p.text().nullable(),
    templateId: p.text().$type<TemplateId>().nullable(),
    flowId: p.text().$type<FlowId>().nullable(),
    flowToken: p.text().nullable(),
    isUnread: p.boolean().default(false),
    /** Empty for a message that was sent alone. */
    batchId: p.text().$type<MessageBatchId | ''>().default(''),
    /** What is to be sent, as JSON; null once it is sent. */
    outgoing: p.text().nullable(),
    /** Set while QUEUED: its place in the conversation's queue. */
    dueAt: p.datetime(3).nullable(),
    /** The send is put off until then and keeps its place; null when it is not. */
    notBefore: p.datetime(3).nullable(),
    deliverUntil: p.datetime(3).nullable(),
    /** The first `dueAt` of a message that a limit held, which moves on with each hold. */
    heldSince: p.datetime(3).nullable(),
    attempts: p.integer().default(0),
    attemptedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    sentAt: p.datetime(3).nullable(),
    deliveredAt: p.datetime(3).nullable(),
    readAt: p.datetime(3).nullable(),
    failedAt: p.datetime(3).nullable(),
    editedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    /** What upstream charges the message as. */
    priceCategory: p.text().$type<PriceCategory>().nullable(),
    errorCode: p.text().nullable(),
    errorMessage: p.text().nullable(),
    errorDetails: p.text().nullable(),
    /** JSON, because upstream's codes are numbers or texts. */
    upstreamCode: p.text().nullable(),
    /** Null when nothing is recorded. */
    trace: p.text().$type<Trace>().nullable(),
  },
})

/** One row while messages of earlier versions have no keys; all from `position` on have been looked at. */
export const MessageKeyFillEntity = defineEntity({
  name: 'MessageKeyFill',
  tableName: 'message_key_fill',
  properties: {
    beginsAt: p.datetime(3).primary(),
    position: p.bigint('number').nullable(),
  },
})

/** An edit or a revocation that came before its message. */
export const MessageChangeEntity = defineEntity({
  name: 'MessageChange',
  tableName: 'message_changes',
  indexes: [{ name: 'message_changes_age', properties: ['createdAt'] }],
  properties: {
    numberId: p.text().$type<NumberId>().primary(),
    externalId: p.text().primary(),
    type: p.text().$type<MessageType>().nullable(),
    content: p.json<StoredContent>().columnType('text').nullable(),
    editedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
})

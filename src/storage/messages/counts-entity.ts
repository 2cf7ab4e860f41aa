import { defineEntity, p } from '@mikro-orm/core'
import type { ConversationId, NumberId } from '../../domain/ids.ts'
import type { ConversationType, MessageDirection } from '../../domain/message.ts'

/** How many messages of a number there are, by day of UTC. */
export const NumberCountsEntity = defineEntity({
  name: 'NumberCounts',
  tableName: 'number_counts',
  properties: {
    numberId: p.text().$type<NumberId>().primary(),
    direction: p.text().$type<MessageDirection>().primary(),
    conversationType: p.text().$type<ConversationType>().primary(),
    day: p.date().primary(),
    messages: p.integer(),
    unread: p.integer(),
    conversations: p.integer(),
  },
})

/** How many messages of a long conversation there are, by day of UTC. */
export const ConversationCountsEntity = defineEntity({
  name: 'ConversationCounts',
  tableName: 'conversation_counts',
  properties: {
    numberId: p.text().$type<NumberId>().primary(),
    conversationId: p.text().$type<ConversationId>().primary(),
    direction: p.text().$type<MessageDirection>().primary(),
    conversationType: p.text().$type<ConversationType>().primary(),
    day: p.date().primary(),
    messages: p.integer(),
  },
})

/**
 * A conversation that is counted. When `isComplete`, its counts include all of its past, otherwise only what was stored
 * since it was found to be long.
 */
export const CountedConversationEntity = defineEntity({
  name: 'CountedConversation',
  tableName: 'counted_conversations',
  properties: {
    numberId: p.text().$type<NumberId>().primary(),
    conversationId: p.text().$type<ConversationId>().primary(),
    isComplete: p.boolean(),
  },
})

/** One row: messages up to this position were looked at. */
export const CountingProgressEntity = defineEntity({
  name: 'CountingProgress',
  tableName: 'counting_progress',
  properties: {
    position: p.bigint('number').primary().autoincrement(false),
  },
})

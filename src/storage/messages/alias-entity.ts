import { defineEntity, p } from '@mikro-orm/core'
import type { ConversationId, NumberId } from '../../domain/ids.ts'

/** Another id of a conversation: what its peer was known by before. */
export const ConversationAliasEntity = defineEntity({
  name: 'ConversationAlias',
  tableName: 'conversation_aliases',
  indexes: [
    { name: 'conversation_aliases_age', properties: ['createdAt'] },
    { name: 'conversation_aliases_number', properties: ['numberId'] },
  ],
  properties: {
    id: p.text().$type<ConversationId>().primary(),
    numberId: p.text().$type<NumberId>(),
    conversationId: p.text().$type<ConversationId>(),
    createdAt: p.datetime(3),
  },
})

import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId } from '../../domain/ids.ts'
import type { MessageContent, MessageType } from '../../domain/message.ts'

/** An edit or a revocation that came before its message. */
export const MessageChangeEntity = defineEntity({
  name: 'MessageChange',
  tableName: 'message_changes',
  indexes: [{ name: 'message_changes_age', properties: ['createdAt'] }],
  properties: {
    numberId: p.text().$type<NumberId>().primary(),
    externalId: p.text().primary(),
    type: p.text().$type<MessageType>().nullable(),
    content: p.json<MessageContent>().columnType('text').nullable(),
    editedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
})

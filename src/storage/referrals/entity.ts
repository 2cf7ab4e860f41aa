import { defineEntity, p } from '@mikro-orm/core'
import type { ConversationId, MessageId, NumberId, TenantId } from '../../domain/ids.ts'
import type { SourceType } from '../../domain/referral.ts'

/**
 * What began a conversation; it outlives its message. `finalAt` is since when there are no names to ask for, else null.
 * `previousAt` is the time of the previous referral of the same conversation and source, or null.
 */
export const ReferralEntity = defineEntity({
  name: 'Referral',
  tableName: 'referrals',
  indexes: [
    { name: 'referrals_clicked', properties: ['numberId', 'createdAt'], where: 'ctwa_clid is not null' },
    { name: 'referrals_of_conversation', properties: ['conversationId', 'createdAt'] },
    {
      name: 'referrals_of_number',
      columns: [{ name: 'number_id' }, { name: 'created_at', sort: 'desc' }, { name: 'message_id', sort: 'desc' }],
    },
    {
      name: 'referrals_of_source',
      columns: [
        { name: 'number_id' },
        { name: 'source_id' },
        { name: 'created_at', sort: 'desc' },
        { name: 'message_id', sort: 'desc' },
      ],
      include: ['previousAt'],
      where: 'source_id is not null',
    },
  ],
  properties: {
    messageId: p.text().$type<MessageId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    conversationId: p.text().$type<ConversationId>(),
    externalMessageId: p.text().nullable(),
    type: p.text(),
    sourceId: p.text().nullable(),
    sourceType: p.text().$type<SourceType>().nullable(),
    sourceUrl: p.text().nullable(),
    headline: p.text().nullable(),
    body: p.text().nullable(),
    mediaType: p.text().nullable(),
    imageUrl: p.text().nullable(),
    videoUrl: p.text().nullable(),
    thumbnailUrl: p.text().nullable(),
    welcomeMessage: p.text().nullable(),
    ctwaClid: p.text().nullable(),
    finalAt: p.datetime(3).nullable(),
    previousAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
})

import { defineEntity, p } from '@mikro-orm/core'
import type { CannedReplyId, TenantId } from '../../domain/ids.ts'
import { OF_TENANT } from '../engine/scope.ts'

/** A text that people of a tenant keep to answer with. */
export const CannedReplyEntity = defineEntity({
  name: 'CannedReply',
  tableName: 'canned_replies',
  filters: OF_TENANT,
  uniques: [{ name: 'canned_replies_shortcut', properties: ['tenantId', 'shortcut'] }],
  properties: {
    id: p.text().$type<CannedReplyId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    shortcut: p.text(),
    text: p.text(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

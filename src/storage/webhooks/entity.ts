import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { ProviderKind } from '../../domain/number.ts'
import { OF_NUMBER } from '../engine/scope.ts'
import type { DisabledReason, SubscribedEvent, WebhookId } from '../../domain/webhook.ts'

export const WebhookEntity = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  filters: OF_NUMBER,
  indexes: [
    { name: 'webhooks_number', properties: ['numberId'] },
    { name: 'webhooks_removed', properties: ['removedAt'], where: 'removed_at is not null' },
    { name: 'webhooks_tenant', properties: ['tenantId'] },
  ],
  properties: {
    id: p.text().$type<WebhookId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    /** Of its number, which may be gone when number.removed is matched. */
    provider: p.text().$type<ProviderKind>(),
    name: p.text().nullable(),
    url: p.text(),
    active: p.boolean().default(true),
    events: p.json<SubscribedEvent[]>(),
    sealedSecret: p.text(),
    /** The secret before the last rotation; it signs too until `previousUntil`. */
    sealedPreviousSecret: p.text().nullable(),
    previousUntil: p.datetime(3).nullable(),
    lastTriggered: p.datetime(3).nullable(),
    /** When the run of nothing but failures began. */
    failingSince: p.datetime(3).nullable(),
    disabledReason: p.text().$type<DisabledReason>().nullable(),
    /** Set when its number was removed: from then it is invisible and gets the last events of the number only. */
    removedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { NumberSettings, NumberState, PiiMode, ProviderKind } from '../../domain/number.ts'

export const ChannelNumberEntity = defineEntity({
  name: 'ChannelNumber',
  tableName: 'channel_numbers',
  uniques: [{ name: 'channel_numbers_tenant_number', properties: ['tenantId', 'number'] }],
  properties: {
    id: p.text().$type<NumberId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    name: p.text(),
    /** Digits. */
    number: p.text(),
    provider: p.text().$type<ProviderKind>(),
    state: p.text().$type<NumberState>().default('CLOSE'),
    isFullyConnected: p.boolean().default(false),
    settings: p.json<NumberSettings>(),
    piiMode: p.text().$type<PiiMode>(),
    piiRetentionDays: p.integer().nullable(),
    /** Engine credentials, sealed; null unless paired. */
    sealedCredentials: p.text().nullable(),
    ackedSeq: p.bigint('number').default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

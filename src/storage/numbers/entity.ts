import { defineEntity, p } from '@mikro-orm/core'
import type { EngineFacts, SessionHealth } from '../../domain/engine.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { CallingStatus, MarketingWay } from '../../domain/official.ts'
import type { NumberSettings, NumberState, PiiMode, ProviderKind } from '../../domain/number.ts'
import type { PairingReason } from '../../domain/pairing.ts'
import type { NumberVoice } from '../../domain/number-voice.ts'
import { OF_TENANT } from '../engine/scope.ts'

export const ChannelNumberEntity = defineEntity({
  name: 'ChannelNumber',
  tableName: 'channel_numbers',
  filters: OF_TENANT,
  uniques: [
    { name: 'channel_numbers_official_phone', properties: ['officialPhoneId'], where: 'official_phone_id is not null' },
    { name: 'channel_numbers_tenant_number', properties: ['tenantId', 'number'] },
  ],
  indexes: [
    { name: 'channel_numbers_age', properties: ['tenantId', 'createdAt', 'id'] },
    { name: 'channel_numbers_calling_due', properties: ['callingDueAt'], where: 'calling_due_at is not null' },
    {
      name: 'channel_numbers_official_account',
      properties: ['officialAccountId'],
      where: 'official_account_id is not null',
    },
    { name: 'channel_numbers_paired', properties: ['id'], where: 'sealed_credentials is not null' },
  ],
  properties: {
    id: p.text().$type<NumberId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    name: p.text(),
    /** The digits of the number. */
    number: p.text(),
    provider: p.text().$type<ProviderKind>(),
    state: p.text().$type<NumberState>().default('CLOSE'),
    isFullyConnected: p.boolean().default(false),
    pairingReason: p.text().$type<PairingReason>().nullable(),
    settings: p.json<NumberSettings>(),
    piiMode: p.text().$type<PiiMode>(),
    piiRetentionDays: p.integer().nullable(),
    /** Engine credentials or access tokens, sealed; null unless paired or OFFICIAL. */
    sealedCredentials: p.text().nullable(),
    ackedSeq: p.bigint('number').defaultRaw('0'),
    engine: p.json<EngineFacts>().nullable(),
    sessionHealth: p.json<SessionHealth>().nullable(),
    voice: p.json<NumberVoice>().nullable(),
    /** Values of the headers of `voice`, sealed; null when there are none. */
    sealedVoiceHeaders: p.text().nullable(),
    /** The following columns are for OFFICIAL numbers alone, and null otherwise. */
    officialPhoneId: p.text().nullable(),
    officialAccountId: p.text().nullable(),
    officialAppId: p.text().nullable(),
    sealedVerifyToken: p.text().nullable(),
    callingStatus: p.text().$type<CallingStatus>().nullable(),
    /** Tries to enable calling since its status last changed, and when the next is due. */
    callingTries: p.integer().default(0),
    callingDueAt: p.datetime(3).nullable(),
    qualityRating: p.text().nullable(),
    messagingLimitTier: p.text().nullable(),
    officialStatus: p.text().nullable(),
    officialCheckedAt: p.datetime(3).nullable(),
    /** Messages a second that upstream takes of an OFFICIAL number. */
    perSecond: p.integer().nullable(),
    /** Null where nobody chose: `auto`. */
    marketing: p.text().$type<MarketingWay>().nullable(),
    isTokenValid: p.boolean().default(true),
    /** True on a RELAY_ONLY number once what was stored before the mode was set is gone. */
    isWiped: p.boolean().default(false),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

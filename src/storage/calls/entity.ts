import { defineEntity, p } from '@mikro-orm/core'
import type { CallDirection, CallStatus } from '../../domain/call.ts'
import type { CallId, NumberId, TenantId } from '../../domain/ids.ts'
import type { ProviderKind } from '../../domain/number.ts'

export const CallEntity = defineEntity({
  name: 'Call',
  tableName: 'calls',
  uniques: [{ name: 'calls_number_external_id', properties: ['numberId', 'externalCallId'] }],
  indexes: [
    { name: 'calls_live', properties: ['numberId'], where: "status in ('INITIATED', 'RINGING', 'ACCEPTED')" },
    {
      name: 'calls_newest',
      columns: [{ name: 'number_id' }, { name: 'created_at', sort: 'desc' }, { name: 'id', sort: 'desc' }],
    },
    {
      name: 'calls_of_peer',
      columns: [
        { name: 'tenant_id' },
        { name: 'peer_number' },
        { name: 'created_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
    },
    {
      name: 'calls_of_tenant',
      columns: [
        { name: 'tenant_id' },
        { name: 'status' },
        { name: 'direction' },
        { name: 'created_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
    },
  ],
  properties: {
    id: p.text().$type<CallId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    provider: p.text().$type<ProviderKind>(),
    externalCallId: p.text().nullable(),
    direction: p.text().$type<CallDirection>(),
    status: p.text().$type<CallStatus>(),
    peerNumber: p.text(),
    fromNumber: p.text(),
    conversationId: p.text().nullable(),
    bizOpaqueCallbackData: p.text().nullable(),
    startedAt: p.datetime(3).nullable(),
    connectedAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
    durationSeconds: p.integer().nullable(),
    errorCode: p.text().nullable(),
    errorMessage: p.text().nullable(),
    sdpOffer: p.text().nullable(),
    sdpAnswer: p.text().nullable(),
    /** A JSON list of files, kept as text because URLs given by callers may hold what jsonb refuses. */
    playback: p.text().default('[]'),
    mediaHost: p.text().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

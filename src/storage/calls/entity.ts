import { defineEntity, p } from '@mikro-orm/core'
import type { CallCarrier, CallDirection, CallStatus } from '../../domain/call.ts'
import type { CallId, FileId, NumberId, TenantId } from '../../domain/ids.ts'
import type { ProviderKind } from '../../domain/number.ts'
import type { RecordingState } from '../../domain/recording.ts'

export const CallEntity = defineEntity({
  name: 'Call',
  tableName: 'calls',
  uniques: [{ name: 'calls_number_external_id', properties: ['numberId', 'externalCallId'] }],
  indexes: [
    { name: 'calls_live', properties: ['numberId'], where: "status in ('INITIATED', 'RINGING', 'ACCEPTED')" },
    { name: 'calls_recording_due', properties: ['recordingDueAt'], where: 'recording_due_at is not null' },
    { name: 'calls_recorded', properties: ['recordingFileId'], where: 'recording_file_id is not null' },
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
    media: p.text().$type<CallCarrier>().nullable(),
    sdpOffer: p.text().nullable(),
    sdpAnswer: p.text().nullable(),
    /** A JSON list of files, kept as text because URLs given by callers may hold what jsonb refuses. */
    playback: p.text().default('[]'),
    mediaHost: p.text().nullable(),
    recording: p.text().$type<RecordingState>().nullable(),
    recordingFileId: p.text().$type<FileId>().nullable(),
    /** When its recording is looked for, or is to be deleted at its media host; null while there is nothing to do. */
    recordingDueAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

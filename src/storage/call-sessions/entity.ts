import { defineEntity, p } from '@mikro-orm/core'
import type { CallId, NumberId, RealtimeSessionId } from '../../domain/ids.ts'
import type { DialectName, SessionDirection, SessionMode, SessionStatus } from '../../domain/realtime-session.ts'

/** How a realtime session of a call stands. The call is no foreign key, so that storing it waits for no call. */
export const CallSessionEntity = defineEntity({
  name: 'CallSession',
  tableName: 'call_sessions',
  indexes: [
    { name: 'call_sessions_of_call', columns: [{ name: 'call_id' }, { name: 'id', sort: 'desc' }] },
    { name: 'call_sessions_of_number', properties: ['numberId'] },
  ],
  properties: {
    id: p.text().$type<RealtimeSessionId>().primary(),
    numberId: p.text().$type<NumberId>(),
    callId: p.text().$type<CallId>(),
    direction: p.text().$type<SessionDirection>(),
    mode: p.text().$type<SessionMode>(),
    dialect: p.text().$type<DialectName>(),
    status: p.text().$type<SessionStatus>(),
    openedAt: p.datetime(3).nullable(),
    closedAt: p.datetime(3).nullable(),
    closeCode: p.integer().nullable(),
    error: p.text().nullable(),
  },
})

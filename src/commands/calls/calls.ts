import type { CallId, NumberId, TenantId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import { askOfficial } from '../official/ask.ts'
import { acceptCall } from './accept.ts'
import type { Acceptance } from './accept.ts'
import { askLive, findCall, isBridged } from './ask.ts'
import type { CallName } from './ask.ts'
import type { SessionToDial } from '../../ports/media.ts'
import { dialSession } from './dial-session.ts'
import { finishCall } from './finish.ts'
import { openSession } from './open-session.ts'
import type { SessionCaller } from './open-session.ts'
import { placeCall } from './place.ts'
import type { CallPorts, CallToPlace, FileToPlay, SessionToMint } from './ports.ts'
import { preAccept } from './pre-accept.ts'
import { writeSettings } from './write-settings.ts'
import type { WriteSettingsInput } from './write-settings.ts'

/** Our choice: sessions of a call that are shown. */
const MOST_SESSIONS = 100

/** The commands of calls. */
export type CallCommands = ReturnType<typeof createCalls>

/** Makes the commands of calls. */
export function createCalls(ports: CallPorts) {
  const { calls, callSessions, directory } = ports
  return {
    place: (number: NumberRef, wanted: CallToPlace) => placeCall(ports, number, wanted),
    list: (numberId: NumberId, page: Parameters<typeof calls.list>[1]) => calls.list(numberId, page),
    listOfTenant: (tenantId: TenantId, page: Parameters<typeof calls.listOfTenant>[1]) =>
      calls.listOfTenant(tenantId, page),
    findOfTenant: (tenantId: TenantId, callId: CallId) => calls.findOfTenant(tenantId, callId),
    find: (name: CallName) => findCall(ports, name),
    isBridged: (name: CallName) => isBridged(ports, name),
    accept: (name: CallName, acceptance: Acceptance) => acceptCall(ports, name, acceptance),
    preAccept: (name: CallName, sdp: string | null) => preAccept(ports, name, sdp),
    reject: (name: CallName) => finishCall(ports, name, 'Reject'),
    terminate: (name: CallName) => finishCall(ports, name, 'Terminate'),
    play: (name: CallName, file: FileToPlay) =>
      askLive(ports, name, ({ numberId, id }) =>
        directory.askCall(numberId, id, 'Play', { ...file, trace: name.trace }),
      ),
    openSession: (name: CallName, wanted: SessionToMint, caller: SessionCaller) =>
      openSession(ports, name, wanted, caller),
    /** Gives the call back to the session it was taken over from; without one CALL_INVALID_STATE. */
    giveBack: (name: CallName) =>
      askLive(ports, name, ({ numberId, id }) => directory.askCall(numberId, id, 'GiveBack', { trace: name.trace })),
    dialSession: (name: CallName, wanted: Omit<SessionToDial, 'sessionId'>) => dialSession(ports, name, wanted),
    /** The newest sessions of a call. */
    sessionsOf: (callId: CallId) => callSessions.list(callId, MOST_SESSIONS),
    /** Read and written upstream; for OFFICIAL numbers only. */
    readSettings: (number: NumberRef) => askOfficial(ports, number, ({ calling }) => calling.readSettings()),
    writeSettings: (input: WriteSettingsInput) => writeSettings(ports, input),
    readPermission: (number: NumberRef, to: string) =>
      askOfficial(ports, number, ({ permissions }) => permissions.read(to)),
    requestPermission: (number: NumberRef, to: string, text: string) =>
      askOfficial(ports, number, ({ permissions }) => permissions.request(to, text)),
  }
}

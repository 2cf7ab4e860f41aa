import { callsOf } from '../hearing/call-book.ts'
import { endCall } from '../hearing/hear-calls.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { LiveSession } from '../session/live-session.ts'
import { refusalOf } from '../translate-out/failure.ts'
import { textField, type Operation, type Operations } from './operation.ts'

/** `call.offer`, `call.accept`: refused, because the library carries no audio of calls ([engines.baileys-duties.7]). */
export const refuseAudio: Operation<never> = () =>
  Promise.reject(new Refusal('CALL_AUDIO_UNSUPPORTED', 'This engine does not carry the audio of calls'))

/** `call.reject`: declines a call that rings. */
export const rejectCall: Operations['call.reject'] = (live, fields) => reject(live, textField(fields, 'callId'))

/** `call.terminate`: declines a call that rings; this engine has no other calls. */
export const terminateCall: Operations['call.terminate'] = (live, fields) =>
  reject(live, typeof fields['callId'] === 'string' ? fields['callId'] : '')

async function reject(live: LiveSession, callId: string): Promise<Record<string, never>> {
  const call = callsOf(live).find(callId)
  if (!call) throw new Refusal('UNKNOWN_CALL', 'This call does not ring here')
  await live.sock.rejectCall(callId, call.from).catch((error: unknown) => {
    throw refusalOf(error)
  })
  await endCall(live, callId, 'declined')
  return {}
}

/** `calls.list` */
export const listCalls: Operations['calls.list'] = async (live) =>
  callsOf(live)
    .list()
    .map(({ callId }) => ({ callId, callRef: null, state: 'RINGING' }))

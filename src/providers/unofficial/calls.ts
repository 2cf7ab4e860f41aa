import { succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { ProviderSession } from '../../ports/provider.ts'
import type { EngineOutcome, EngineRequests } from './engine-requests.ts'

type CallOps = Pick<ProviderSession, 'offerCall' | 'acceptCall' | 'rejectCall' | 'terminateCall'>

/** Calls and their audio, over `call.*`. */
export function callOps(requests: EngineRequests): CallOps {
  async function end(op: 'call.reject' | 'call.terminate', externalCallId: string): Promise<Outcome<null>> {
    const outcome = await requests.ask(op, { callId: externalCallId }, 'again')
    // A call the engine does not know has ended; so does the second telling after a lost link.
    return outcome.engineError?.code === 'UNKNOWN_CALL' ? succeed(null) : nothingOf(outcome)
  }
  return {
    async offerCall(to, sdp) {
      const outcome = await requests.ask('call.offer', { to, media: { kind: 'webrtc', sdp } }, 'once', {
        onLate: ({ callId }) => {
          // The caller was told that it failed: a call placed after all must not ring on.
          void end('call.terminate', callId)
        },
      })
      return outcome.ok ? succeed({ externalCallId: outcome.value.callId }) : outcome
    },
    async acceptCall(externalCallId, sdp) {
      return nothingOf(await requests.ask('call.accept', { callId: externalCallId, media: { kind: 'webrtc', sdp } }, 'once'))
    },
    rejectCall: (externalCallId) => end('call.reject', externalCallId),
    terminateCall: (externalCallId) => end('call.terminate', externalCallId),
  }
}

/** Success without a value. */
export function nothingOf(outcome: EngineOutcome<unknown>): Outcome<null> {
  return outcome.ok ? succeed(null) : { ok: false, error: outcome.error }
}

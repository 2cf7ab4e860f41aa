import { readDescription } from '../../domain/call-media.ts'
import type { BridgeOps } from '../../domain/device-bridge.ts'
import type { CallMedia } from '../../domain/call-media.ts'
import { succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { ProviderSession, UpstreamCall } from '../../ports/provider.ts'
import { NO_LINK } from './error-map.ts'
import type { EngineOutcome, EngineRequests } from './engine-requests.ts'

type CallOps = Pick<ProviderSession, 'offerCall' | 'acceptCall' | 'rejectCall' | 'terminateCall'>
  & Required<Pick<ProviderSession, 'liveCalls'>>

type Ending = BridgeOps['call.reject' | 'call.terminate']['fields']

/** Calls and their audio, over `call.*` and `calls.list`. */
export function callOps(requests: EngineRequests): CallOps {
  async function end(op: 'call.reject' | 'call.terminate', fields: Ending): Promise<Outcome<null>> {
    const outcome = await requests.ask(op, fields, 'again')
    // A call that the engine does not know has ended; that is also the answer when the end is told again after a lost
    // link.
    return outcome.engineError?.code === 'UNKNOWN_CALL' ? succeed(null) : nothingOf(outcome)
  }
  return {
    async offerCall(to, sdp, _bizOpaqueCallbackData, callRef) {
      const outcome = await requests.ask(
        'call.offer',
        { to, media: mediaOf(sdp), ...(callRef === undefined ? {} : { callRef }) },
        'once',
        {
          onLate: ({ callId }) => {
            // The caller was told that the call failed, so a call that was placed after all must not ring on.
            void end('call.terminate', { callId })
          },
        },
      )
      if (outcome.ok) return succeed({ externalCallId: outcome.value.callId })
      // The link broke, or no answer came in time: the call can still be ended by our id.
      if (!outcome.engineError && outcome.error !== NO_LINK && callRef !== undefined)
        void end('call.terminate', { callRef })
      return outcome
    },
    async acceptCall(externalCallId, sdp) {
      return nothingOf(await requests.ask('call.accept', { callId: externalCallId, media: mediaOf(sdp) }, 'once'))
    },
    rejectCall: (externalCallId) => end('call.reject', { callId: externalCallId }),
    terminateCall: (externalCallId) => end('call.terminate', { callId: externalCallId }),
    liveCalls: {
      async list() {
        const outcome = await requests.ask('calls.list', {}, 'again')
        return outcome.ok ? succeed(outcome.value.flatMap(liveCall)) : { ok: false, error: outcome.error }
      },
      terminate: (callRef) => end('call.terminate', { callRef }),
    },
  }
}

/** The description that a media host made, in the form of the bridge. */
function mediaOf(description: string): CallMedia {
  return readDescription(description) ?? { kind: 'webrtc', sdp: description }
}

function liveCall({ callId, callRef, state }: BridgeOps['calls.list']['result'][number]): UpstreamCall[] {
  return state === 'ENDED' ? [] : [{ externalCallId: callId, callRef, isConnected: state === 'CONNECTED' }]
}

/** Success without a value. */
export function nothingOf(outcome: EngineOutcome<unknown>): Outcome<null> {
  return outcome.ok ? succeed(null) : { ok: false, error: outcome.error }
}

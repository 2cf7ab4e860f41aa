import { RefusalError, refuse } from '../../../domain/errors.ts'
import { offerFault, sdpFault, trimmedSdp } from '../../../domain/sdp/sdp-fault.ts'

/** A session description as sent. Null counts as absent. */
interface SdpInput {
  readonly sdp?: unknown
  readonly sdpType?: unknown
}

function faulty(path: string, message: string): RefusalError {
  return new RefusalError(refuse('VALIDATION', `Invalid body: ${path}: ${message}`, [{ path, message }]))
}

/** The text of a session description, null when there is none. Refuses another `sdpType` than `wanted`, the default. */
function textOf({ sdp, sdpType }: SdpInput, wanted: 'offer' | 'answer'): string | null {
  if (sdpType !== undefined && sdpType !== null && sdpType !== wanted) throw faulty('sdpType', `must be ${wanted}`)
  if (sdp === undefined || sdp === null) return null
  if (typeof sdp !== 'string') throw faulty('sdp', 'must be a text')
  return sdp
}

function invalid(fault: string): RefusalError {
  return new RefusalError(refuse('INVALID_SDP', `The session description ${fault}`, [{ path: 'sdp', message: fault }]))
}

/**
 * Refuses a session description for numbers whose audio the service carries: the audio of such a call would never reach
 * the sender ([calls.routes.1]).
 */
export function noSdp(input: SdpInput | null | undefined): null {
  const sent = (['sdp', 'sdpType'] as const).find((field) => (input?.[field] ?? null) !== null)
  if (sent !== undefined)
    throw faulty(sent, 'is for OFFICIAL numbers only; the audio of this call goes through a realtime session')
  return null
}

/**
 * The offer of an outbound call, as it was written but trimmed. Throws 400 without a code when it is missing,
 * INVALID_SDP when it is no offer ([calls.sdp.1], [calls.sdp.2]).
 */
export function offerOf(input: SdpInput): string {
  const text = textOf(input, 'offer')
  if (text === null) throw faulty('sdp', 'is needed on OFFICIAL numbers')
  const fault = offerFault(text)
  if (fault !== null) throw invalid(fault)
  return trimmedSdp(text)
}

/**
 * The answer to an inbound call, as it was written but trimmed; null when none was sent. our choice: its DTLS role is
 * left to upstream.
 */
export function answerOf(input: SdpInput | null | undefined): string | null {
  const text = textOf(input ?? {}, 'answer')
  if (text === null) return null
  const fault = sdpFault(text)
  if (fault !== null) throw invalid(fault)
  return trimmedSdp(text)
}

import { refuse } from '../../domain/errors.ts'
import type { Refusal, RefusalCode } from '../../domain/errors.ts'
import type { BridgeError } from '../../domain/device-bridge.ts'

/** Engine code -> our refusal (contract 8 names no texts; the wording is our choice). Others are DEVICE_NETWORK_ERROR. */
const TABLE: Readonly<Record<string, { readonly code: RefusalCode, readonly message: string }>> = {
  NOT_CONNECTED: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED', message: 'The number is not connected. Connect it and try again.' },
  NOT_REGISTERED: { code: 'CALL_PEER_UNREACHABLE', message: 'The destination number is not reachable on this channel.' },
  UNSUPPORTED: { code: 'FEATURE_NOT_SUPPORTED', message: 'The engine of this number does not support this.' },
  // Our choice: what an accept meets when the caller has just given up.
  UNKNOWN_CALL: { code: 'CALL_INVALID_STATE', message: 'The call is over.' },
}

/** Translates what an engine answered. */
export function refusalOf(error: BridgeError): Refusal {
  const entry = Object.hasOwn(TABLE, error.code) ? TABLE[error.code] : undefined
  if (entry) return refuse(entry.code, entry.message)
  return refuse('DEVICE_NETWORK_ERROR', 'The device network refused the request.', {
    upstreamCode: error.code,
    upstreamMessage: error.message,
    retryable: error.retryable,
  })
}

/** The link broke while the request was under way: whether it took effect is unknown. */
export const LINK_LOST: Refusal = refuse('DEVICE_NETWORK_ERROR', 'The connection to the device network broke before it answered.')

/** The answer did not have the form the protocol demands. */
export const BAD_ANSWER: Refusal = refuse('DEVICE_NETWORK_ERROR', 'The device network gave an answer that cannot be read.')

export const NO_ANSWER: Refusal = refuse('DEVICE_NETWORK_TIMEOUT', 'The device network did not answer in time.')

/** The request never left. */
export const NO_LINK: Refusal = refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The device network cannot be reached. Try again shortly.')

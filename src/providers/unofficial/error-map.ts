import { notOfEngine } from '../../domain/engine.ts'
import type { EngineCapability, EngineFacts } from '../../domain/engine.ts'
import { refuse } from '../../domain/errors.ts'
import type { Refusal, RefusalCode } from '../../domain/errors.ts'
import type { BridgeError } from '../../domain/device-bridge.ts'
import type { MessageErrorCode, MessageFailure } from '../../domain/message.ts'

/**
 * Engine code -> our refusal (errors of [bridge.socket.3] have codes; the wording is our choice). Other codes are
 * DEVICE_NETWORK_ERROR.
 */
const TABLE: Readonly<Record<string, { readonly code: RefusalCode; readonly message: string }>> = {
  NOT_CONNECTED: {
    code: 'CHANNEL_INSTANCE_NOT_CONNECTED',
    message: 'The number is not connected. Connect it and try again.',
  },
  NOT_REGISTERED: {
    code: 'CALL_PEER_UNREACHABLE',
    message: 'The destination number is not reachable on this channel.',
  },
  UNSUPPORTED: { code: 'FEATURE_NOT_SUPPORTED', message: 'The engine of this number does not support this.' },
  NOT_FOUND: { code: 'NOT_FOUND', message: 'The device network does not know this.' },
  // Our choice: an accept meets this when the caller has just given up.
  UNKNOWN_CALL: { code: 'CALL_INVALID_STATE', message: 'The call is over.' },
}

/** The engine that was asked, and the capability that the op needs; null when it needs none that engines name. */
export interface AskedOf {
  readonly engine: EngineFacts | null
  readonly capability: EngineCapability | null
}

/** Engine codes for what it cannot do at all ([bridge.socket.6], [engines.baileys-duties.7]). */
const UNABLE_CODES: ReadonlySet<string> = new Set(['UNSUPPORTED', 'CALL_AUDIO_UNSUPPORTED'])

/**
 * Translates an engine's error. The refusal of what it cannot do at all names the capability
 * ([engines.baileys-duties.7]).
 */
export function refusalOf(
  error: BridgeError,
  { engine, capability }: AskedOf = { engine: null, capability: null },
): Refusal {
  const missing = error.code === 'CALL_AUDIO_UNSUPPORTED' ? 'callAudio' : capability
  if (missing && UNABLE_CODES.has(error.code)) return notOfEngine(engine, missing)
  const entry = Object.hasOwn(TABLE, error.code) ? TABLE[error.code] : undefined
  if (entry) return refuse(entry.code, entry.message)
  return refuse('DEVICE_NETWORK_ERROR', 'The device network refused the request.', {
    upstreamCode: error.code,
    upstreamMessage: error.message,
    retryable: error.retryable,
  })
}

/**
 * Engine code -> why a message failed. Other codes are DELIVERY_TIMEOUT ([messages.failures.12]): our choice, the one
 * that blames nothing.
 */
const MESSAGE_CODES: ReadonlyMap<string, MessageErrorCode> = new Map([
  ['NOT_REGISTERED', 'CHANNEL_NOT_EXIST'],
  ['INVALID', 'INVALID_DESTINATION'],
  ['NOT_FOUND', 'INVALID_DESTINATION'],
  ['UNSUPPORTED', 'MEDIA_UNSUPPORTED'],
])

/**
 * Why a message failed that an engine refused, or reports as failed; null stands for a failure that it does not
 * explain.
 */
export function messageFailureOf(error: BridgeError | null): MessageFailure {
  return {
    code: (error ? MESSAGE_CODES.get(error.code) : undefined) ?? 'DELIVERY_TIMEOUT',
    message: 'The device network did not deliver the message.',
    details: error?.message || null,
    upstreamCode: error?.code ?? null,
  }
}

/** The link broke while the request was under way, so it is in doubt. */
export const LINK_LOST: Refusal = refuse(
  'DEVICE_NETWORK_ERROR',
  'The connection to the device network broke before it answered.',
)

/** The answer did not have the form of the protocol. */
export const BAD_ANSWER: Refusal = refuse(
  'DEVICE_NETWORK_ERROR',
  'The device network gave an answer that cannot be read.',
)

export const NO_ANSWER: Refusal = refuse('DEVICE_NETWORK_TIMEOUT', 'The device network did not answer in time.')

/** The request never left. */
export const NO_LINK: Refusal = refuse(
  'CHANNEL_INSTANCE_NOT_CONNECTED',
  'The device network cannot be reached. Try again shortly.',
)

/**
 * The device bridge protocol ([bridge.socket.1]): JSON text over one WebSocket per number session. The gateway is the
 * client; the engine is the server, and the sandbox is such an engine.
 */
import type { CallMedia } from './call-media.ts'
import type { DeviceOps, DeviceWords, TypingState } from './device-ops.ts'
import type { SessionHealthLevel } from './engine.ts'
import type { NumberSettings } from './number.ts'

export interface BridgeContent {
  readonly type: string
  readonly text?: string
  /**
   * The text alone, in templates and beside buttons and cards, for engines that draw these themselves. `text` then says
   * all of it in words.
   */
  readonly body?: string
  /** `voice` and `waveform` (64 points, 0 to 100) come with voice notes. */
  readonly media?: {
    readonly url: string
    readonly mimeType: string
    readonly fileName?: string
    readonly size?: number
    readonly voice?: boolean
    readonly waveform?: readonly number[]
  }
  readonly location?: unknown
  readonly contacts?: unknown
  readonly reaction?: unknown
  readonly buttons?: unknown
  readonly cards?: unknown
  /** Beside a text that says all of it in words, for engines that draw lists (capability `lists`). */
  readonly list?: unknown
  /** `{question, options, multiple}`, for engines that send polls (capability `polls`). */
  readonly poll?: unknown
  /** The header line, in templates and beside buttons. */
  readonly header?: string
  readonly footer?: string
}

/**
 * What the network knows one person by ([engines.peers.2]). With a message it is its writer, or its reader when the
 * number itself wrote it.
 */
export interface BridgePeer {
  /** Digits. */
  readonly phone?: string
  /** The network's id of a person who may hide the number: `123456789012345@lid`. */
  readonly lid?: string
}

/** A group or channel that a message belongs to. */
export interface BridgeRoom {
  readonly id: string
  readonly name?: string | null
}

export type BridgeGroup = DeviceOps['getGroup']['value']

/**
 * Settings that the engine is told: the six provider settings of the number, null for the engine's own default, and
 * what the gateway asks for ([engines.bridge.8]).
 */
export interface BridgeSettings extends Pick<
  NumberSettings,
  'rejectCall' | 'msgRejectCall' | 'alwaysOnline' | 'readMessages' | 'ignoreGroups' | 'ignoreStatus'
> {
  /** Status posts of contacts are wanted. */
  readonly stories?: boolean | undefined
  /** Messages of groups are wanted. */
  readonly groups?: boolean | undefined
  /** Posts of channels are wanted. */
  readonly newsletters?: boolean | undefined
}

/** What an engine says of itself; every field is optional. Readers leave out words that they do not know. */
export interface BridgeEngine {
  readonly engine?: { readonly name: string; readonly version?: string }
  readonly capabilities?: readonly string[]
  /** The kinds of audio leg it speaks, the preferred one first; WebRTC alone when the field is missing. */
  readonly callMedia?: readonly string[]
}

/**
 * Requests by `op`: the fields beside `id` and `op`, and the result. What a device is asked beside messages and calls
 * stands in device-ops.ts.
 */
export interface BridgeOps extends DeviceWords {
  'session.start': {
    /**
     * `credentials` is the JSON value of the last `session.credentials`, or null to pair anew. `pairingCode` says that
     * an earlier connection of this pairing asked for a code to type; it is absent otherwise. Media whose `media.url`
     * has the origin `mediaBearerOrigin` are fetched with the bearer of the bridge; it is absent where the gateway has
     * no such origin.
     */
    fields: {
      number: string
      credentials: unknown
      settings: BridgeSettings
      historyImport: boolean
      pairingCode?: boolean
      mediaBearerOrigin?: string
    }
    result: BridgeEngine
  }
  /**
   * Asks a session that pairs for a code to type as well: `session.qr` is told again with its `pairingCode`. Engines
   * whose network makes a code only on request need it, since asking lets the phone alert its owner. Asking again
   * changes nothing.
   */
  'session.pairing_code': { fields: Record<string, never>; result: Record<string, never> }
  'session.logout': { fields: Record<string, never>; result: Record<string, never> }
  'settings.set': { fields: { settings: BridgeSettings }; result: Record<string, never> }
  'message.send': {
    /** `traceparent` is that of W3C Trace Context: what the engine does is part of that trace; absent for none. */
    fields: { messageId: string; to: string; content: BridgeContent; quoted?: string; traceparent?: string }
    /** `number` (digits) and `lid` are what else the network knows `to` by ([engines.peers.3]). */
    result: { externalMessageId: string; number?: string; lid?: string }
  }
  'message.read': { fields: { externalMessageIds: string[] }; result: Record<string, never> }
  /** `callRef` is the gateway's own id of the call ([nodes.calls.8]). */
  'call.offer': { fields: { to: string; media: CallMedia; callRef?: string }; result: { callId: string } }
  'call.accept': { fields: { callId: string; media: CallMedia }; result: Record<string, never> }
  'call.reject': { fields: { callId: string }; result: Record<string, never> }
  'call.terminate': { fields: { callId: string } | { callRef: string }; result: Record<string, never> }
  /** Lists the calls of the number that are live upstream; an engine may list some that ended, too. */
  'calls.list': {
    fields: Record<string, never>
    result: { callId: string; callRef: string | null; state: BridgeCallState }[]
  }
}
export type BridgeOp = keyof BridgeOps

/** A call is `RINGING` until it is answered. */
export const BRIDGE_CALL_STATES = ['RINGING', 'CONNECTED', 'ENDED'] as const
export type BridgeCallState = (typeof BRIDGE_CALL_STATES)[number]

export interface BridgeError {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
}

export type BridgeRequest = { readonly id: string; readonly op: string; readonly [field: string]: unknown }
export type BridgeAnswer =
  | { readonly re: string; readonly ok: true; readonly result: unknown }
  | { readonly re: string; readonly ok: false; readonly error: BridgeError }
/** The gateway's acknowledgement: everything up to and including `ack` is stored. Answers need none. */
export type BridgeAck = { readonly ack: number }

/** Error codes an engine uses; unknown ones pass through as they are. */
export const BRIDGE_ERROR_CODES = [
  'UNSUPPORTED',
  'CALL_AUDIO_UNSUPPORTED',
  'NOT_CONNECTED',
  'NOT_REGISTERED',
  'NOT_FOUND',
  'RATE_LIMITED',
  'UNKNOWN_CALL',
  'INVALID',
  'FAILED',
  'UNAUTHORIZED',
] as const

/** Why a session closed; `wrong_number` means that the phone that scanned has another number ([bridge.events.2]). */
export const SESSION_CLOSE_REASONS = [
  'logged_out',
  'replaced',
  'network',
  'qr_expired',
  'banned',
  'wrong_number',
] as const
export type SessionCloseReason = (typeof SESSION_CLOSE_REASONS)[number]

/** Adds the reason of a session that still connects: the phone has to be unlocked with a passkey first. */
export const SESSION_REASONS = [...SESSION_CLOSE_REASONS, 'passkey_required'] as const
export type SessionReason = (typeof SESSION_REASONS)[number]

export const CALL_END_REASONS = ['hangup', 'declined', 'timeout', 'canceled', 'failed'] as const
export type CallEndReason = (typeof CALL_END_REASONS)[number]

/** Events by `ev`; each also carries `seq`, rising by one within a number's session. */
export type BridgeEvent =
  | {
      readonly ev: 'session.qr'
      readonly qr: string
      readonly pairingCode: string | null
      readonly expiresInMs: number
    }
  | { readonly ev: 'session.state'; readonly state: 'OPEN' | 'CONNECTING' | 'CLOSE'; readonly reason?: SessionReason }
  /** The sandbox and the Baileys engine send a text; another engine may send any JSON value but null. */
  | { readonly ev: 'session.credentials'; readonly credentials: string }
  | {
      readonly ev: 'message.received'
      readonly externalMessageId: string
      readonly from: string
      readonly fromName: string | null
      readonly to: string
      readonly group?: BridgeRoom | string
      readonly newsletter?: BridgeRoom | string
      readonly story?: unknown
      readonly historical: boolean
      readonly timestamp: number
      readonly content: BridgeContent
      readonly quoted?: string
      readonly peer?: BridgePeer
    }
  /**
   * A message that the owner of the number wrote on the phone or another device ([engines.bridge.4]). `to` is the peer;
   * in a group or channel its id.
   */
  | {
      readonly ev: 'message.sent_elsewhere'
      readonly externalMessageId: string
      readonly from: string
      readonly fromName?: string | null
      readonly to: string
      readonly group?: BridgeRoom | string
      readonly newsletter?: BridgeRoom | string
      readonly story?: unknown
      readonly historical: boolean
      readonly timestamp: number
      readonly content: BridgeContent
      readonly quoted?: string
      readonly peer?: BridgePeer
    }
  /**
   * `messageId` is the gateway's own id, where the engine knows it: with it a status may overtake the answer that names
   * the message ([engines.bridge.7]).
   */
  | {
      readonly ev: 'message.status'
      readonly externalMessageId: string
      readonly messageId?: string
      readonly status: 'SENT' | 'DELIVERED' | 'READ' | 'FAILED'
      readonly error?: BridgeError
      readonly timestamp: number
    }
  /**
   * A vote in a poll that the number sent ([message-verbs.modes.6]): `externalMessageId` names the poll, `options` are
   * the texts that the voter has chosen now, none when the vote was taken back. `messageId` is the gateway's own id.
   */
  | {
      readonly ev: 'message.poll_vote'
      readonly externalMessageId: string
      readonly messageId?: string
      readonly from: string
      readonly fromName?: string | null
      readonly group?: BridgeRoom | string
      readonly options: readonly string[]
      readonly timestamp: number
    }
  /** A later edit of a message, by its writer on either side ([engines.bridge.5]). */
  | {
      readonly ev: 'message.edited'
      readonly externalMessageId: string
      readonly timestamp: number
      readonly content?: BridgeContent
    }
  | { readonly ev: 'message.revoked'; readonly externalMessageId: string; readonly timestamp: number }
  /** Phone number and id of one person ([engines.peers.1]). */
  | ({ readonly ev: 'session.peer' } & Required<BridgePeer>)
  | {
      readonly ev: 'session.health'
      readonly level: SessionHealthLevel
      readonly code?: string | null
      readonly text?: string | null
    }
  /** `media` is absent where the engine has no audio for calls. */
  | { readonly ev: 'call.incoming'; readonly callId: string; readonly from: string; readonly media?: CallMedia | null }
  | { readonly ev: 'call.ringing'; readonly callId: string }
  | { readonly ev: 'call.answered'; readonly callId: string; readonly media: CallMedia }
  | { readonly ev: 'call.ended'; readonly callId: string; readonly reason: CallEndReason }
export type SequencedBridgeEvent = BridgeEvent & { readonly seq: number }

/**
 * What is true for seconds ([engines.bridge.14]): it has no `seq`, is neither acknowledged nor sent again, and is lost
 * while no gateway is connected. `peer` writes, digits or an id (`...@lid`); `group` is where, when it is a group.
 */
export interface BridgeHint {
  readonly ev: 'peer.typing'
  readonly peer: string
  readonly group?: string
  readonly state: TypingState
}

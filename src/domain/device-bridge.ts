/**
 * The device bridge protocol (contract 8): JSON text over one WebSocket per number
 * session. The gateway is the client; the engine (the sandbox is one) the server.
 */
import type { NumberSettings } from './number.ts'

export interface WebRtcMedia {
  readonly kind: 'webrtc'
  readonly sdp: string
}

export interface BridgeContent {
  readonly type: string
  readonly text?: string
  /** With buttons and cards, and of templates: the text alone, for engines that draw these themselves. `text` then says all of it in words. */
  readonly body?: string
  /** `voice` and `waveform` (64 points, 0 to 100) of voice notes. */
  readonly media?: {
    readonly url: string, readonly mimeType: string, readonly fileName?: string, readonly size?: number
    readonly voice?: boolean, readonly waveform?: readonly number[]
  }
  readonly location?: unknown
  readonly contacts?: unknown
  readonly reaction?: unknown
  readonly buttons?: unknown
  readonly cards?: unknown
  /** With buttons, and of templates. */
  readonly header?: string
  readonly footer?: string
}

/** A group or channel that a message belongs to. */
export interface BridgeRoom {
  readonly id: string
  readonly name?: string | null
}

export interface BridgeGroup {
  readonly id: string
  readonly name: string
  readonly participants: readonly { readonly number: string, readonly isAdmin: boolean }[]
}

/** Provider settings the engine is told: the six of the number, null meaning its own default. */
export type BridgeSettings = Pick<NumberSettings,
  'rejectCall' | 'msgRejectCall' | 'alwaysOnline' | 'readMessages' | 'ignoreGroups' | 'ignoreStatus'>

/** Requests by `op`: the fields beside `id` and `op`, and the result. */
export interface BridgeOps {
  'session.start': {
    /** `credentials`: the JSON value of the last `session.credentials`, or null to pair anew. */
    fields: { number: string, credentials: unknown, settings: BridgeSettings, historyImport: boolean }
    result: Record<string, never>
  }
  'session.logout': { fields: Record<string, never>, result: Record<string, never> }
  'settings.set': { fields: { settings: BridgeSettings }, result: Record<string, never> }
  'message.send': {
    fields: { messageId: string, to: string, content: BridgeContent, quoted?: string }
    result: { externalMessageId: string }
  }
  'message.read': { fields: { externalMessageIds: string[] }, result: Record<string, never> }
  'number.check': {
    fields: { numbers: readonly string[] }
    result: { input: string, exists: boolean, number: string | null, name: string | null }[]
  }
  'group.list': { fields: Record<string, never>, result: { id: string, name: string }[] }
  'group.create': { fields: { subject: string, participants: readonly string[] }, result: BridgeGroup }
  'group.get': { fields: { groupId: string }, result: BridgeGroup }
  'group.participants': { fields: { groupId: string, action: 'add' | 'remove', participants: readonly string[] }, result: BridgeGroup }
  'newsletter.list': { fields: Record<string, never>, result: { id: string, name: string }[] }
  'call.offer': { fields: { to: string, media: WebRtcMedia }, result: { callId: string } }
  'call.accept': { fields: { callId: string, media: WebRtcMedia }, result: Record<string, never> }
  'call.reject': { fields: { callId: string }, result: Record<string, never> }
  'call.terminate': { fields: { callId: string }, result: Record<string, never> }
}
export type BridgeOp = keyof BridgeOps

export interface BridgeError {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
}

export type BridgeRequest = { readonly id: string, readonly op: string, readonly [field: string]: unknown }
export type BridgeAnswer =
  | { readonly re: string, readonly ok: true, readonly result: unknown }
  | { readonly re: string, readonly ok: false, readonly error: BridgeError }
/** From the gateway: everything up to and including `ack` is stored. Answers need no acknowledgement. */
export type BridgeAck = { readonly ack: number }

/** Error codes an engine uses; unknown ones pass through as they are. */
export const BRIDGE_ERROR_CODES = [
  'UNSUPPORTED', 'NOT_CONNECTED', 'NOT_REGISTERED', 'NOT_FOUND', 'RATE_LIMITED', 'UNKNOWN_CALL', 'INVALID', 'FAILED', 'UNAUTHORIZED',
] as const

export const SESSION_CLOSE_REASONS = ['logged_out', 'replaced', 'network', 'qr_expired', 'banned'] as const
export type SessionCloseReason = (typeof SESSION_CLOSE_REASONS)[number]

export const CALL_END_REASONS = ['hangup', 'declined', 'timeout', 'canceled', 'failed'] as const
export type CallEndReason = (typeof CALL_END_REASONS)[number]

/** Events by `ev`; each also carries `seq`, rising by one within a number's session. */
export type BridgeEvent =
  | { readonly ev: 'session.qr', readonly qr: string, readonly pairingCode: string | null, readonly expiresInMs: number }
  | { readonly ev: 'session.state', readonly state: 'OPEN' | 'CONNECTING' | 'CLOSE', readonly reason?: SessionCloseReason }
  /** Ours are a text; an engine may send any JSON value but null. */
  | { readonly ev: 'session.credentials', readonly credentials: string }
  | {
    readonly ev: 'message.received', readonly externalMessageId: string, readonly from: string, readonly fromName: string | null
    readonly to: string, readonly group?: BridgeRoom | string, readonly newsletter?: BridgeRoom | string, readonly story?: unknown
    readonly historical: boolean, readonly timestamp: number, readonly content: BridgeContent, readonly quoted?: string
  }
  | {
    readonly ev: 'message.status', readonly externalMessageId: string
    readonly status: 'SENT' | 'DELIVERED' | 'READ' | 'FAILED', readonly error?: BridgeError, readonly timestamp: number
  }
  /** What the writer of a message, on either side, made of it later (contract 21). */
  | { readonly ev: 'message.edited', readonly externalMessageId: string, readonly timestamp: number, readonly content?: BridgeContent }
  | { readonly ev: 'message.revoked', readonly externalMessageId: string, readonly timestamp: number }
  | { readonly ev: 'call.incoming', readonly callId: string, readonly from: string, readonly media: WebRtcMedia }
  | { readonly ev: 'call.ringing', readonly callId: string }
  | { readonly ev: 'call.answered', readonly callId: string, readonly media: WebRtcMedia }
  | { readonly ev: 'call.ended', readonly callId: string, readonly reason: CallEndReason }
export type SequencedBridgeEvent = BridgeEvent & { readonly seq: number }

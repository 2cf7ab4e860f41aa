import type { CallEndReason, SessionCloseReason } from '../domain/device-bridge.ts'
import type { Outcome } from '../domain/errors.ts'
import type { NumberId } from '../domain/ids.ts'
import type { NumberSettings, NumberState, ProviderKind } from '../domain/number.ts'

/** What a provider kind can do; a route asks for one before any actor is asked (style rule 9). */
export const CAPABILITIES = [
  'pairing', 'calls', 'callAudio', 'callSdp', 'callPreAccept', 'callSettings', 'callPermissions', 'groups', 'newsletters', 'numberCheck',
] as const
export type Capability = (typeof CAPABILITIES)[number]

export interface SessionSpec {
  readonly numberId: NumberId
  /** Digits. */
  readonly number: string
  /** Opaque blob of an earlier pairing, or null to pair anew. */
  readonly credentials: string | null
  readonly settings: NumberSettings
  readonly historyImport: boolean
  /** Events up to this sequence are stored already and need not come again. */
  readonly ackedSeq: number
}

/**
 * What a session reports. `seq` is set on events the engine re-sends until they are settled: the
 * listener calls `session.settle(seq)` once the outcome is stored.
 */
export type ProviderEvent =
  | { readonly type: 'qr', readonly seq: number, readonly qr: string, readonly pairingCode: string | null, readonly expiresInMs: number }
  | { readonly type: 'state', readonly seq: number, readonly state: NumberState, readonly reason: SessionCloseReason | null }
  | { readonly type: 'credentials', readonly seq: number, readonly credentials: string }
  | { readonly type: 'incomingCall', readonly seq: number, readonly externalCallId: string, readonly from: string, readonly sdp: string }
  | { readonly type: 'callRinging', readonly seq: number, readonly externalCallId: string }
  | { readonly type: 'callAnswered', readonly seq: number, readonly externalCallId: string, readonly sdp: string }
  | { readonly type: 'callEnded', readonly seq: number, readonly externalCallId: string, readonly reason: CallEndReason }
  /** The socket to the engine is gone; the session reconnects by itself with backoff until closed. */
  | { readonly type: 'linkDown' }
  | { readonly type: 'linkUp' }
  /** An event this version does not use; settle it. */
  | { readonly type: 'unused', readonly seq: number }

/** A live session of one number. Requests answer an Outcome and never throw; they time out by themselves. */
export interface ProviderSession {
  applySettings(settings: NumberSettings): Promise<Outcome<null>>
  /** Unlinks the device upstream and wipes the session there. */
  logout(): Promise<Outcome<null>>
  sendText(to: string, text: string, messageId: string): Promise<Outcome<{ externalMessageId: string }>>
  /** Refusals: CALL_PEER_UNREACHABLE, CHANNEL_INSTANCE_NOT_CONNECTED, DEVICE_NETWORK_ERROR, DEVICE_NETWORK_TIMEOUT. */
  offerCall(to: string, sdp: string, bizOpaqueCallbackData?: string | null): Promise<Outcome<{ externalCallId: string }>>
  /** Only where the driver declares callPreAccept: sets the leg up early; the call connects on acceptCall, with the same SDP. */
  preAcceptCall?(externalCallId: string, sdp: string): Promise<Outcome<null>>
  acceptCall(externalCallId: string, sdp: string): Promise<Outcome<null>>
  rejectCall(externalCallId: string): Promise<Outcome<null>>
  /** An unknown call counts as ended: ok. */
  terminateCall(externalCallId: string): Promise<Outcome<null>>
  /** The outcome of event `seq` is stored. Acknowledged upstream once all before it are settled too. */
  settle(seq: number): void
  /** Closes the link without unlinking the device. Idempotent. */
  close(): void
}

export interface ProviderDriver {
  readonly kind: ProviderKind
  readonly capabilities: ReadonlySet<Capability>
  /** Opens a session and keeps it: reconnects with backoff and full jitter until closed. */
  openSession(spec: SessionSpec, listener: (event: ProviderEvent) => void): ProviderSession
}

/** Provider kind -> driver, null when this installation has none configured. */
export interface ProviderRegistry {
  driver(kind: ProviderKind): ProviderDriver | null
  supports(kind: ProviderKind, capability: Capability): boolean
}

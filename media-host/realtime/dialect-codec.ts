import type { RealtimeSessionId, TenantId } from '../../src/domain/ids.ts'
import type { ClientText } from './protocol-parse.ts'
import type { ServerMessage } from '../../src/domain/realtime-messages.ts'
import type { SessionParameters } from './protocol.ts'

/** A client's text as its dialect reads it. Some texts carry audio, here as PCM16LE. */
export type DialectText = ClientText | { readonly kind: 'audio'; readonly bytes: Uint8Array }

/** The protocol in the form of one kind of client. One codec belongs to one session, so it may keep state. */
export interface DialectCodec {
  /** The texts for an event, in order; empty when this kind of client is not told of it. */
  encode(message: ServerMessage, tMs: number): string[]
  /** A frame of PCM16LE for the client. Bytes are sent as a binary message, a text as text. */
  encodeAudio(frame: Uint8Array): Uint8Array | string
  /** `text` has at most `maxTextBytes` bytes. */
  parse(text: string): DialectText
  /** Longer texts are not parsed, in bytes. */
  readonly maxTextBytes: number
  /** When false, a binary message closes the session with 1003. */
  readonly takesBinary: boolean
  /**
   * True for a client made for another platform and used unchanged ([realtime.dialects.2]). Its audio does not count
   * towards the messages of a second, and waits while the queue is full. A text of it that is no JSON only earns a
   * warning.
   */
  readonly isStock: boolean
}

/** What identifies a session to its client. */
export interface SessionIdentity {
  readonly sessionId: RealtimeSessionId
  readonly tenantId: TenantId
}

export interface Dialect {
  /** The parameters that this kind of client needs, whatever its query says. */
  adapt(parameters: SessionParameters): SessionParameters
  createCodec(parameters: SessionParameters, identity: SessionIdentity): DialectCodec
}

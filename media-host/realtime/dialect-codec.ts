import type { ClientText } from './protocol-parse.ts'
import type { ServerMessage, SessionParameters } from './protocol.ts'

/** A client text as a dialect reads it: some carry audio inside, as PCM16LE. */
export type DialectText = ClientText | { readonly kind: 'audio'; readonly bytes: Uint8Array }

/** How one kind of client speaks the protocol. One codec per session: it may keep state. */
export interface DialectCodec {
  /** Texts for what happened, in order; none when this kind of client is not told. */
  encode(message: ServerMessage, tMs: number): string[]
  /** A frame of PCM16LE for the client: bytes go out as a binary message, a text as text. */
  encodeAudio(frame: Uint8Array): Uint8Array | string
  /** `text` has at most `maxTextBytes` bytes. */
  parse(text: string): DialectText
  /** Longer texts are not parsed. */
  readonly maxTextBytes: number
  /** False closes 1003 on a binary message. */
  readonly takesBinary: boolean
  /**
   * A client made for another platform, unchanged ([realtime.dialects.2]): its audio does not count towards the
   * messages of a second, waits to be read while the queue is full, and a text of it that is no JSON only earns a
   * warning.
   */
  readonly isStock: boolean
}

export interface Dialect {
  /** The parameters this kind of client needs, whatever its query says. */
  adapt(parameters: SessionParameters): SessionParameters
  createCodec(parameters: SessionParameters): DialectCodec
}

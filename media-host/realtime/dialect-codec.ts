import type { ClientText } from './protocol-parse.ts'
import type { ServerMessage, SessionParameters } from './protocol.ts'

/** A client text as a dialect reads it: some carry audio inside, as PCM16LE. */
export type DialectText = ClientText | { readonly kind: 'audio', readonly bytes: Uint8Array }

/** How one kind of client speaks the protocol. One codec per session: it may keep state. */
export interface DialectCodec {
  /** Texts for what happened, in order; none when this kind of client is not told. */
  encode(message: ServerMessage, tMs: number): string[]
  /** A frame of PCM16LE for the client: bytes go out as a binary message, a text as text. */
  encodeAudio(frame: Uint8Array): Uint8Array | string
  parse(text: string): DialectText
  /** False closes 1003 on a binary message. */
  readonly takesBinary: boolean
}

export interface Dialect {
  /** The parameters this kind of client needs, whatever its query says. */
  adapt(parameters: SessionParameters): SessionParameters
  createCodec(parameters: SessionParameters): DialectCodec
}

/** PENDING means on its way, or unknown because the engine ended meanwhile. */
export type OutgoingState = 'PENDING' | 'SENT'

/** A message that was sent, or is about to be. */
export interface OutgoingMessage {
  /** The gateway's id of the message. */
  readonly messageId: string
  /** The network's id of the message. */
  readonly externalId: string
  readonly state: OutgoingState
  readonly jid: string
  /** The message in the library's protobuf. */
  readonly message: Uint8Array
}

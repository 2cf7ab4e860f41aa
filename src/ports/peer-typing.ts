import type { TypingState } from '../domain/device-ops.ts'
import type { NumberId } from '../domain/ids.ts'

/** Somebody writes to a number, or does not any more. */
export interface PeerTyping {
  readonly numberId: NumberId
  /** Who writes, digits or an id of the network; in a group its id. */
  readonly peer: string
  readonly state: TypingState
}

/**
 * Tells inboxes on all nodes that somebody writes, at most once a second for one peer. Nothing is stored. Returns at
 * once, never throws.
 */
export type TellPeerTyping = (typing: PeerTyping) => void

import type { SendingRef } from '../sending/sending-actor.ts'
import type { Receiving } from './receiving-effects.ts'

/** What is known of the actor that sends. */
export interface Sends {
  /** Number of its last wake, and whether it may have something in hand since. */
  wakes: number
  isBusy: boolean
  /** Messages on their way upstream. */
  inFlight: number
  /** Monotonic ms of the last one that left or was stored, of the last wake, or of the link coming up. */
  lastMs: number
}

/** What the effects of one number hold for its messages. */
export interface MessageWorld {
  readonly sends: Sends
  sending: SendingRef | null
  /** Made by the first message that comes in. */
  receiving: Receiving | null
  /** Asks the session has not answered yet. */
  readonly deviceAsks: Set<number>
}

export function emptyMessageWorld(): MessageWorld {
  return { sends: { wakes: 0, isBusy: false, inFlight: 0, lastMs: -Infinity }, sending: null, receiving: null, deviceAsks: new Set() }
}

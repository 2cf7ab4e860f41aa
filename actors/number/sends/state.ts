import type { ChannelNumber } from '../../../src/domain/number.ts'

/** The number's messages to be sent, which an actor of its own works off. */
export interface Sending {
  /** The session can send, and the actor knows. */
  readonly isOpen: boolean
  /** There may be work it was not told of. */
  readonly isWanted: boolean
  /** Times it was woken. */
  readonly wakes: number
  /** It may have something in hand. */
  readonly isBusy: boolean
  /** Crashes since it last had nothing left to do. */
  readonly crashes: number
  /** It crashed, and its timer runs. */
  readonly isResting: boolean
}

export interface SendsState {
  readonly sending: Sending
}

export type SendsEffect =
  | { readonly type: 'wakeSending'; readonly number: ChannelNumber; readonly wakes: number }
  | { readonly type: 'shutSending' }

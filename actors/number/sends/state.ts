import type { ChannelNumber } from '../../../src/domain/number.ts'

/** The number's messages to be sent; an actor of its own sends them. */
export interface Sending {
  /** True when the session can send and the actor was told. */
  readonly isOpen: boolean
  /** True when there may be work that the actor was not told of. */
  readonly isWanted: boolean
  /** How often the actor was woken. */
  readonly wakes: number
  /** True when the actor may have work under way. */
  readonly isBusy: boolean
  /** Crashes since the actor last had nothing to do. */
  readonly crashes: number
  /** True after a crash, while the timer of the restart runs. */
  readonly isResting: boolean
}

export interface SendsState {
  readonly sending: Sending
}

export type SendsEffect =
  | { readonly type: 'wakeSending'; readonly number: ChannelNumber; readonly wakes: number }
  | { readonly type: 'shutSending' }

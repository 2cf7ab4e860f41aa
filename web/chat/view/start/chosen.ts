import type { Reached } from '../../api/start-requests.ts'
import type { ChannelNumber } from '../../model/message.ts'

/** Somebody who can be written to from a number. */
export interface Chosen {
  readonly number: ChannelNumber
  readonly reached: Reached
}

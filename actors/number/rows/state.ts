import type { EventName } from '../../../src/domain/events.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { ConnectionPatch } from '../../../src/ports/stores/number-store.ts'

export type RowsEffect =
  | { readonly type: 'load'; readonly attempt: number }
  | { readonly type: 'readCredentials'; readonly attempt: number; readonly askId: number }
  /** `seq` is the event that this save settles. The highest settled sequence is stored with it. */
  | {
      readonly type: 'save'
      readonly attempt: number
      readonly patch: ConnectionPatch
      readonly seq: number | null
      readonly announce: { readonly event: EventName; readonly number: ChannelNumber } | null
    }

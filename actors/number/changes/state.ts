import type { NewEvent } from '../../../src/domain/events.ts'
import type { Fault } from '../../../src/domain/set-aside.ts'

/** A change that was handed on and is not settled yet. */
export interface OpenChange {
  readonly position: number
  /** Events whose outcome is not stored yet. */
  readonly waiting: ReadonlySet<number>
  /** Events that are stored in the write that settles the change. */
  readonly events: readonly NewEvent[]
  readonly sinceMs: number
  /** Why the change is set aside once none of its events waits; null when it is settled then. */
  readonly fault: Fault | null
}

/** The changes of upstream webhooks. They are worked off side by side and settled in order. */
export interface Inbox {
  /** Position of the last change read. */
  readonly after: number
  readonly open: readonly OpenChange[]
  /** The attempt of the read under way. */
  readonly reading: number | null
  /** True when more changes may wait than were read, and no read is under way for them. */
  readonly isToldAgain: boolean
  /** The attempt of the settling under way. */
  readonly settling: number | null
  /** The oldest change that was read again because it did not end, and how often; null when none was. */
  readonly stuck: { readonly position: number; readonly times: number } | null
  /** Number of the last event handed out; numbers fall from zero. */
  readonly lastSeq: number
}

export interface ChangesState {
  readonly inbox: Inbox
}

export type ChangesEffect =
  | { readonly type: 'readChanges'; readonly attempt: number; readonly after: number }
  | {
      readonly type: 'settleChanges'
      readonly attempt: number
      /** The oldest changes, in order. */
      readonly positions: readonly number[]
      readonly events: readonly NewEvent[]
    }
  /** Sets aside a change that cannot be worked off, for a reason of its own. */
  | { readonly type: 'setChangeAside'; readonly attempt: number; readonly position: number; readonly fault: Fault }
  /** Reports to the operator that calls of the number fail upstream. */
  | { readonly type: 'reportFailing'; readonly codes: readonly string[] }

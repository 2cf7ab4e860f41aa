import type { NewEvent } from '../../../src/domain/events.ts'
import type { Fault } from '../../../src/domain/set-aside.ts'

/** A change that was handed on and is not settled yet. */
export interface OpenChange {
  readonly position: number
  /** Events whose outcome is not stored yet. */
  readonly waiting: ReadonlySet<number>
  /** Stored when the change is settled. */
  readonly events: readonly NewEvent[]
  readonly sinceMs: number
  /** Why it is set aside once nothing of it waits; null: it is settled then. */
  readonly fault: Fault | null
}

/** Changes of upstream webhooks, worked off side by side and settled in order. */
export interface Inbox {
  /** Position of the last change read. */
  readonly after: number
  readonly open: readonly OpenChange[]
  /** The attempt of the read under way. */
  readonly reading: number | null
  /** There may be more than was read, and no read is under way for it. */
  readonly isToldAgain: boolean
  /** The attempt of the settling under way. */
  readonly settling: number | null
  /** The oldest change as it was read anew since it did not come to an end, and how often; null: none was. */
  readonly stuck: { readonly position: number; readonly times: number } | null
  /** Number of the last event handed out; they fall from zero. */
  readonly lastSeq: number
}

export interface ChangesState {
  readonly inbox: Inbox
}

export type ChangesEffect =
  | { readonly type: 'readChanges'; readonly attempt: number; readonly after: number }
  | {
      readonly type: 'settleChange'
      readonly attempt: number
      readonly position: number
      readonly events: readonly NewEvent[]
    }
  /** It cannot be worked off, for a reason of its own. */
  | { readonly type: 'setChangeAside'; readonly attempt: number; readonly position: number; readonly fault: Fault }
  /** Upstream says that calls of the number fail; for the operator. */
  | { readonly type: 'reportFailing'; readonly codes: readonly string[] }

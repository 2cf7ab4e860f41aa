import type { NewEvent } from '../../../src/domain/events.ts'

/** A change that was handed on and is not settled yet. */
export interface OpenChange {
  readonly position: number
  /** Events whose outcome is not stored yet. */
  readonly waiting: ReadonlySet<number>
  /** Stored when the change is settled. */
  readonly events: readonly NewEvent[]
  readonly sinceMs: number
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
  /** Number of the last event handed out; they fall from zero. */
  readonly lastSeq: number
}

export interface ChangesState {
  readonly inbox: Inbox
}

export type ChangesEffect =
  | { readonly type: 'readChanges', readonly attempt: number, readonly after: number }
  | { readonly type: 'settleChange', readonly attempt: number, readonly position: number, readonly events: readonly NewEvent[] }
  /** Upstream says that calls of the number fail; for the operator. */
  | { readonly type: 'reportFailing', readonly codes: readonly string[] }

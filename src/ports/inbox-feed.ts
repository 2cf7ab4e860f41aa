import type { NumberId } from '../domain/ids.ts'
import type { NumberState } from '../domain/number.ts'
import type { InboxConversation, InboxMessage } from './stores/inbox-store.ts'

/**
 * What an inbox is told of (contract 17, Stream). Rows are as they were when they were read, after what changed them
 * was committed.
 */
export type InboxChange =
  /** It is new, or says something else now. */
  | { readonly type: 'message'; readonly message: InboxMessage }
  /** It has another status now. */
  | { readonly type: 'status'; readonly message: InboxMessage }
  | { readonly type: 'conversation'; readonly conversation: InboxConversation }
  | { readonly type: 'number'; readonly state: NumberState }
  /** Unread messages of the number. */
  | { readonly type: 'unread'; readonly count: number }
  /** Some changes were left out: whatever is shown is to be read anew. */
  | { readonly type: 'resync' }

export interface FedChange {
  /** Rises with every change of this node. */
  readonly order: number
  readonly atMs: number
  readonly numberId: NumberId
  readonly change: InboxChange
}

/** Whoever is told. */
export interface FeedListener {
  changed(change: FedChange): void
  /** This node tells nothing any more; nothing follows. */
  ended(): void
}

export interface Joined {
  /**
   * Where the reader is: all that was committed before it joined can be read, all that is committed later will be told.
   */
  readonly order: number
  /**
   * What came since it was here, oldest first; null when that is not known any more, or it comes for the first time.
   */
  readonly missed: readonly FedChange[] | null
  readonly unread: ReadonlyMap<NumberId, number>
  leave(): void
}

/** Tells what changes of numbers, as long as somebody listens. */
export interface InboxFeed {
  /** Names the changes of this node's run: those of another are no continuation of them. Six digits. */
  readonly run: string
  /** `after`: the order of the last change that was taken. Rejects while the database is away. */
  join(numberIds: readonly NumberId[], listener: FeedListener, after: number | null): Promise<Joined>
  /** Something was committed. Returns at once. */
  wake(): void
}

/** Rows that changed in a way that nothing stored tells of in order: whoever commits it says so, to all nodes. */
export interface ChangedRows {
  readonly numberId: NumberId
  readonly messageIds: readonly string[]
  readonly conversationIds: readonly string[]
  /** Messages went from one conversation to another: too much to be named. */
  readonly isWhole: boolean
}

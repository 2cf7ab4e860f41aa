import type { Call, CallStatus } from '../domain/call.ts'
import type { StoredEvent } from '../domain/events.ts'
import type { CallId, ConversationId, NumberId, TenantId } from '../domain/ids.ts'
import type { NumberState } from '../domain/number.ts'
import type { CallingStatus } from '../domain/official.ts'

/** A place among the stored events of an account, which are in the order of the transactions that stored them. */
export interface EventPlace {
  /** Id of a transaction. */
  readonly xid: string
  /** Position of an event of that transaction; 0 before its first. */
  readonly position: string
}

export interface PlacedEvent {
  readonly place: EventPlace
  readonly event: StoredEvent
}

/** How a number stands. */
export interface StandingNumber {
  readonly id: NumberId
  readonly tenantId: TenantId
  readonly state: NumberState
  readonly isFullyConnected: boolean
  /** Null on UNOFFICIAL numbers. */
  readonly calling: CallingStatus | null
}

/** What the readers of an account are told of. */
export type TenantChange =
  /** An event was stored. One of a call tells its status, too. */
  | { readonly type: 'event'; readonly place: EventPlace; readonly event: StoredEvent }
  /** A call has a status that no event tells of: INITIATED, or RINGING at the peer. */
  | { readonly type: 'call'; readonly call: Call }
  | { readonly type: 'number'; readonly number: StandingNumber }
  /** Whom a conversation is assigned to, or what is noted of it, is something else now. */
  | { readonly type: 'conversation'; readonly move: ConversationMove }

/** A reader of changes. */
export interface TenantListener {
  changed(change: TenantChange): void
  /** This node stops telling; no change follows. */
  ended(): void
}

export interface JoinedTenant {
  /** All events up to here were stored before the reader joined; all behind it will be told. */
  readonly place: EventPlace
  /** How the numbers of the account and its live calls stand. */
  readonly numbers: readonly StandingNumber[]
  readonly calls: readonly Call[]
  leave(): void
}

/** Tells what happens in accounts, for as long as somebody listens. What it costs is per account, not per reader. */
export interface TenantFeed {
  /** Rejects while the database is away. */
  join(tenantId: TenantId, listener: TenantListener): Promise<JoinedTenant>
  /**
   * Reads the events behind one place, up to another, oldest first; null when there are more than `most`, or when
   * `after` is a place that nothing was stored at yet.
   */
  missed(tenantId: TenantId, after: EventPlace, until: EventPlace, most: number): Promise<readonly PlacedEvent[] | null>
}

/** Takes moves that no stored event tells of. */
export interface MovesTold {
  readonly call: (move: CallMove) => void
  /** The number stands otherwise: its state, its connection or its calling. */
  readonly number: (numberId: NumberId) => void
  /** The people of the account handle the conversation otherwise. */
  readonly conversation: (move: ConversationMove) => void
}

/** A status of a call that no stored event tells of: the code that commits it tells all nodes. */
export interface CallMove {
  readonly numberId: NumberId
  readonly callId: CallId
  readonly status: CallStatus
  /** When it was written, in ms. */
  readonly atMs: number
}

/** A conversation whose assignment or notes changed. */
export interface ConversationMove {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly conversationId: ConversationId
}

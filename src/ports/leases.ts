import type { NodeId, NumberId } from '../domain/ids.ts'
import type { LeaseTimes } from '../domain/lease-times.ts'

/** Proof of ownership of a number; every write of an owner carries it and fails once a newer token exists. */
export interface Fence {
  readonly numberId: NumberId
  /** Rises with each take-over. */
  readonly token: number
}

/** Who holds a number, and under which token. */
export interface Holder {
  readonly nodeId: NodeId
  readonly token: number
  /** Until its lease is over if it is not renewed, ms, when it was read. */
  readonly leftMs: number
}

/** What a renewal found. */
export interface Renewal {
  /** Held still. */
  readonly kept: NumberId[]
  /** Their rows name this node, but ran out: they must be acquired anew. */
  readonly over: NumberId[]
  /** Another process has this node's name now: this one holds nothing, and gets nothing any more. */
  readonly isReplaced?: true
}

/**
 * Ownership of numbers as rows with a rising token (architecture 6). Of two processes of one name only the one that
 * joined last (placement.ts) is given anything.
 */
export interface Leases {
  readonly nodeId: NodeId
  readonly times: LeaseTimes
  /** Takes the number, or answers null while another node holds it (its lease and grace not yet over). */
  acquire(numberId: NumberId): Promise<Fence | null>
  /** Renews everything this node holds in one statement, and that this node is alive (placement.ts). */
  renew(): Promise<Renewal>
  /**
   * For a node that did not run for a while: in one statement, renews those of `fences` whose row still names this node
   * and token, even where the time ran out, and answers their numbers. Every other one was taken, or given back. Throws
   * when the database does.
   */
  reclaim(fences: readonly Fence[]): Promise<NumberId[]>
  /** `isWanted`: another node shall take it at once, if it is paired. */
  release(fence: Fence, isWanted?: boolean): Promise<void>
  /** Who holds the number now, or null. */
  ownerOf(numberId: NumberId): Promise<Holder | null>
}

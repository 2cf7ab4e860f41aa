import type { NodeId, NumberId } from '../domain/ids.ts'
import type { LeaseTimes } from '../domain/lease-times.ts'

/** Proof that a node owns a number: every write of an owner carries it, and fails once a newer token exists. */
export interface Fence {
  readonly numberId: NumberId
  /** Rises each time that the number is taken over. */
  readonly token: number
}

/** Who holds a number, and under which token. */
export interface Holder {
  readonly nodeId: NodeId
  readonly token: number
  /** The time until its lease ends if it is not renewed, in ms, as of the reading. */
  readonly leftMs: number
}

/** The result of a renewal. */
export interface Renewal {
  /** Numbers that are still held. */
  readonly kept: NumberId[]
  /** Numbers whose rows name this node, but ran out: they must be acquired anew. */
  readonly over: NumberId[]
  /** Another process has taken this node's name: this one holds nothing, and is given nothing any more. */
  readonly isReplaced?: true
}

/**
 * Ownership of numbers, as rows with a rising token ([nodes.placement.5]). Of two processes of one name only the one
 * that joined last (placement.ts) is given anything.
 */
export interface Leases {
  readonly nodeId: NodeId
  readonly times: LeaseTimes
  /** Takes the number; null while another node holds it (its lease and grace not yet over). */
  acquire(numberId: NumberId): Promise<Fence | null>
  /** Renews everything that this node holds in one statement, and notes that the node is alive (placement.ts). */
  renew(): Promise<Renewal>
  /**
   * Serves a node that did not run for a while: renews, in one statement, those of `fences` whose row still names this
   * node and token, even where the time ran out, and gives their numbers. Every other one was taken, or given back.
   * Throws when the database does.
   */
  reclaim(fences: readonly Fence[]): Promise<NumberId[]>
  /** Gives a number back. `isWanted` has another node take it at once, if it is paired. */
  release(fence: Fence, isWanted?: boolean): Promise<void>
  /** Reads who holds the number now; null when nobody does. */
  ownerOf(numberId: NumberId): Promise<Holder | null>
}

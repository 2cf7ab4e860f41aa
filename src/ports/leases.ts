import type { NodeId, NumberId } from '../domain/ids.ts'

/** Proof of ownership of a number; every write of an owner carries it and fails once a newer token exists. */
export interface Fence {
  readonly numberId: NumberId
  /** Rises with each take-over. */
  readonly token: number
}

/** Ownership of numbers as rows with a rising token (architecture 6). */
export interface Leases {
  readonly nodeId: NodeId
  /** Takes the number, or answers null while another node holds it (its lease and grace not yet over). */
  acquire(numberId: NumberId): Promise<Fence | null>
  /** Renews everything this node holds in one statement; answers the numbers still held. */
  renew(): Promise<NumberId[]>
  /**
   * For a node that did not run for a while: in one statement, renews those of `fences` whose row still names this node and token, even
   * where the time ran out, and answers their numbers. Every other one was taken, or given back. Throws when the database does.
   */
  reclaim(fences: readonly Fence[]): Promise<NumberId[]>
  release(fence: Fence): Promise<void>
  /** The node that holds the number now, or null. */
  ownerOf(numberId: NumberId): Promise<NodeId | null>
}

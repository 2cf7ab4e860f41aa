import type { NumberId } from '../domain/ids.ts'
import type { Fence } from './leases.ts'

/**
 * How sessions are spread over the nodes. Only UNOFFICIAL numbers hold one; OFFICIAL numbers run on whichever node
 * needs them, while it does.
 */
export interface Census {
  /** Nodes that are alive and not about to stop; this one included unless it left. */
  readonly nodes: number
  /** Paired UNOFFICIAL numbers of the installation. */
  readonly numbers: number
  /** Numbers among them whose lease this node holds. */
  readonly mine: number
}

/** What a look for numbers without an owner found. */
export interface Look {
  /** True when `claim` may find something. */
  readonly isWanted: boolean
  /** The time before which no other node that is alive now can count as dead, in ms; null when there is no other. */
  readonly deathInMs: number | null
}

/**
 * Which node a paired number goes to: the nodes that are alive, and the numbers that want an owner
 * ([nodes.placement.1], [nodes.placement.2]). All methods throw when the database does.
 */
export interface Placement {
  /**
   * Joins this node: it is alive from now on, for as long as it renews, and the numbers that an earlier process of its
   * name held want an owner. False, with nothing done, while another process of that name is alive, unless `isAlone`
   * says that nobody else can have the name.
   */
  join(isAlone: boolean): Promise<boolean>
  /** Tells that this node is about to stop: no number is meant for it any more. */
  leave(): Promise<void>
  /** Tells that this node is gone; numbers that it did not give back are free once their leases end. */
  forget(): Promise<void>
  census(): Promise<Census>
  /** Costs next to nothing when nothing is wanted. */
  look(): Promise<Look>
  /**
   * Takes up to `limit` paired numbers that were handed over, or whose node is dead, in one statement that skips those
   * that another node is taking. Takes none once another process has this node's name.
   */
  claim(limit: number): Promise<Fence[]>
  /**
   * Lists those of the next `limit` paired numbers after `after`, in order of their ids, that nobody holds; `next` is
   * null after the last.
   */
  listFree(
    after: NumberId | null,
    limit: number,
  ): Promise<{ readonly free: NumberId[]; readonly next: NumberId | null }>
}

import type { NumberId } from '../domain/ids.ts'
import type { Fence } from './leases.ts'

/**
 * How sessions are spread over the nodes. Only UNOFFICIAL numbers keep one; the others come and go as they are needed,
 * wherever that is.
 */
export interface Census {
  /** Nodes that are alive and not about to stop; this one among them unless it left. */
  readonly nodes: number
  /** Paired UNOFFICIAL numbers of the installation. */
  readonly numbers: number
  /** Those whose lease this node holds. */
  readonly mine: number
}

/** What a look for numbers without an owner found. */
export interface Look {
  /** `claim` may find something. */
  readonly isWanted: boolean
  /** No other node that is alive now can be dead before, in ms; null where there is none. */
  readonly deathInMs: number | null
}

/**
 * Which node a paired number goes to: nodes that are alive, and numbers that want an owner (contract 20, Placement).
 * All throw when the database does.
 */
export interface Placement {
  /**
   * This node joins: it is alive from now on, for as long as it renews, and what an earlier process of its name held
   * wants an owner. False, and nothing is done, while another process of that name is alive, unless `isAlone`: then
   * nobody else can have the name.
   */
  join(isAlone: boolean): Promise<boolean>
  /** This node is about to stop: no number is meant for it any more. */
  leave(): Promise<void>
  /** This node is gone; what it did not give back is free once its lease is over. */
  forget(): Promise<void>
  census(): Promise<Census>
  /** Costs next to nothing where nothing is wanted. */
  look(): Promise<Look>
  /**
   * Takes up to `limit` paired numbers that were handed over, or whose node is dead: in one statement, past those that
   * another node is taking. None once another process has this node's name.
   */
  claim(limit: number): Promise<Fence[]>
  /**
   * Of the next `limit` paired numbers after `after` in order of their ids, those that nobody holds; `next` is null
   * after the last.
   */
  listFree(
    after: NumberId | null,
    limit: number,
  ): Promise<{ readonly free: NumberId[]; readonly next: NumberId | null }>
}

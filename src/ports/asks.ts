import type { Outcome } from '../domain/errors.ts'
import type { NodeAskId, NodeId } from '../domain/ids.ts'
import type { Fence } from './leases.ts'

/** What a node asks of the one that holds a number. */
export interface NodeAsk {
  /** The asked node runs it once, however often it hears of it. */
  readonly id: NodeAskId
  /** The number, and the token under which the asked node is thought to hold it. */
  readonly fence: Fence
  /**
   * How long its answer is waited for, in ms from when it was heard: what is left travels, so that no two clocks are
   * compared.
   */
  readonly withinMs: number
  /** What is asked, as JSON. */
  readonly body: unknown
}

/**
 * What came of an ask. `elsewhere`: the asked node does not hold the number under that token; `absent`: no node of that
 * name hears; `away`: nodes cannot hear each other now. Of these three it is certain that it did not run. `lost`: it
 * may have run, and nobody will say.
 */
export type Asked =
  | { readonly kind: 'answered'; readonly outcome: Outcome<unknown> }
  | { readonly kind: 'elsewhere' | 'absent' | 'away' | 'lost' }

/**
 * Runs what other nodes ask of this one. Null: the number is not held here under that token; nothing was done then.
 * Must not reject.
 */
export type RunAsk = (ask: NodeAsk) => Promise<Outcome<unknown> | null>

/** Asks between nodes. */
export interface Asks {
  /**
   * Never rejects; answers by the time `withinMs` is over. Refusals of its own, as an answer: PAYLOAD_TOO_LARGE (it did
   * not run).
   */
  ask(nodeId: NodeId, ask: NodeAsk): Promise<Asked>
  /** Has what others ask of this node run; until then they are told `elsewhere`. */
  serve(run: RunAsk): void
}

import type { Outcome } from '../domain/errors.ts'
import type { NodeAskId, NodeId } from '../domain/ids.ts'
import type { Fence } from './leases.ts'

/** What a node asks of the node that holds a number. */
export interface NodeAsk {
  /** The asked node runs an id once, however often it receives it ([nodes.asks.3]). */
  readonly id: NodeAskId
  /** The number, and the token under which the asked node is believed to hold it. */
  readonly fence: Fence
  /**
   * How long the asker waits for the answer, in ms from when the asked node received it. The time left travels, so that
   * no two clocks are compared.
   */
  readonly withinMs: number
  /** The question, as JSON. */
  readonly body: unknown
}

/**
 * What came of an ask. `elsewhere`: the asked node does not hold the number under that token. `absent`: no node of that
 * name listens. `away`: nodes cannot hear each other now. In these three cases it certainly did not run. `lost`: it may
 * have run, and nobody will tell.
 */
export type Asked =
  | { readonly kind: 'answered'; readonly outcome: Outcome<unknown> }
  | { readonly kind: 'elsewhere' | 'absent' | 'away' | 'lost' }

/**
 * Runs what other nodes ask of this one. Null when the number is not held here under that token; then nothing was done.
 * Must not reject.
 */
export type RunAsk = (ask: NodeAsk) => Promise<Outcome<unknown> | null>

/** Asks between nodes. */
export interface Asks {
  /**
   * Asks a node. Never rejects; answers before `withinMs` is over. It has one refusal of its own, as an answer:
   * PAYLOAD_TOO_LARGE (it did not run).
   */
  ask(nodeId: NodeId, ask: NodeAsk): Promise<Asked>
  /** Sets the function that runs what others ask of this node; until then they are told `elsewhere`. */
  serve(run: RunAsk): void
}

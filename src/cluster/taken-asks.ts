import type { NodeAskId } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * our choice: asks that are known at a time; more are not taken. Known for 30 s each, that is 3,000 a second, in some
 * 40 MB.
 */
const MOST_ASKS = 100_000
/** our choice: characters of answers that are kept to be told again; beyond that an answer is told once. */
const MOST_CHARACTERS = 16_000_000
/** our choice: an ask is known this long after its end, ms: what still comes of it then is known for a repeat. */
const GRACE_MS = 10_000

interface Taken {
  /** Null while it runs, and where there was no room for it. */
  answer: string | null
  isRunning: boolean
}

/** Which asks this node took, so that none runs twice, and what came of them, while somebody may ask again. */
export class TakenAsks {
  readonly #clock: Clock
  readonly #taken = new Map<NodeAskId, Taken>()
  #characters = 0

  readonly #mostAsks: number

  constructor(clock: Clock, mostAsks = MOST_ASKS) {
    this.#clock = clock
    this.#mostAsks = mostAsks
  }

  isKnown(id: NodeAskId): boolean {
    return this.#taken.has(id)
  }

  /**
   * Remembers one that is to run now, for longer than it can be told again: it ends in `leftMs`. False: there is no
   * room for it.
   */
  take(id: NodeAskId, leftMs: number): boolean {
    if (this.#taken.size >= this.#mostAsks) return false
    this.#taken.set(id, { answer: null, isRunning: true })
    this.#clock.after(leftMs + GRACE_MS, () => this.#forget(id))
    return true
  }

  answered(id: NodeAskId, answer: string): void {
    const taken = this.#taken.get(id)
    if (!taken) return
    taken.isRunning = false
    if (this.#characters + answer.length > MOST_CHARACTERS) return
    this.#characters += answer.length
    taken.answer = answer
  }

  /** Null: not known, or its answer is not kept. */
  find(id: NodeAskId): 'running' | { readonly answer: string } | null {
    const taken = this.#taken.get(id)
    if (taken?.isRunning) return 'running'
    return taken?.answer === null || taken === undefined ? null : { answer: taken.answer }
  }

  #forget(id: NodeAskId): void {
    this.#characters -= this.#taken.get(id)?.answer?.length ?? 0
    this.#taken.delete(id)
  }
}

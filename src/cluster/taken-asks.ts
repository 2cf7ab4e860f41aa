import type { NodeAskId } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * our choice: most asks that are known at a time; further ones are refused. Each is known for 30 s, so this allows
 * 3,000 a second, in some 40 MB.
 */
const MOST_ASKS = 100_000
/** our choice: most characters of answers that are kept for a repeat; beyond that an answer is sent once. */
const MOST_CHARACTERS = 16_000_000
/** our choice: an ask is known for this many ms after its end, so that a late answer can still be repeated. */
const GRACE_MS = 10_000

interface Taken {
  /** Null while the ask runs, and when there was no room for its answer. */
  answer: string | null
  isRunning: boolean
}

/** The asks that this node took, so that none runs twice, and their answers, while the asker may ask again. */
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
   * Remembers an ask that runs now, for longer than it can be sent again; it ends in `leftMs`. False when there is no
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

  /** Null when the ask is not known, or its answer was not kept. */
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

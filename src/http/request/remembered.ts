import type { Clock } from '../../ports/clock.ts'

/**
 * Our choice: bounds how long a node that did not hear of a change knows what was before, where nothing else is said.
 */
const REMEMBERED_MS = 5_000
/** Our choice: enough for what of a node's is active. */
const MOST = 10_000

/** What is looked up many times in a row, remembered for a moment; the oldest goes where there is too much. */
export class Remembered<V> {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #ms: number
  readonly #known = new Map<string, { readonly value: V; readonly untilMs: number }>()
  /** Rises with each that is forgotten: a look-up that began before must not be remembered after it. */
  #forgotten = 0

  /** Each is remembered for `ms`. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, ms: number = REMEMBERED_MS) {
    this.#clock = clock
    this.#ms = ms
  }

  /** What is known of it, else what `lookUp` answers; null is not remembered. */
  async find(key: string, lookUp: () => Promise<V | null>): Promise<V | null> {
    const entry = this.#known.get(key)
    if (entry && entry.untilMs > this.#clock.monotonicMs()) return entry.value
    this.#known.delete(key)
    const begun = this.#forgotten
    const value = await lookUp()
    if (value === null || begun !== this.#forgotten) return value
    const oldest = this.#known.size >= MOST ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(key, { value, untilMs: this.#clock.monotonicMs() + this.#ms })
    return value
  }

  forget(isGone: (value: V, key: string) => boolean): void {
    this.#forgotten++
    for (const [key, { value }] of this.#known) if (isGone(value, key)) this.#known.delete(key)
  }
}

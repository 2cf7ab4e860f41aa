/** Counts an amount for each key. A key whose amount is 0 takes no room. */
export class Tally<K> {
  readonly #amounts = new Map<K, number>()

  /** The number of keys with an amount above 0. */
  get size(): number {
    return this.#amounts.size
  }

  of(key: K): number {
    return this.#amounts.get(key) ?? 0
  }

  /** Adds to a key's amount; `by` below 0 takes away, down to 0. */
  add(key: K, by: number): void {
    const left = this.of(key) + by
    if (left > 0) this.#amounts.set(key, left)
    else this.#amounts.delete(key)
  }

  clear(): void {
    this.#amounts.clear()
  }
}

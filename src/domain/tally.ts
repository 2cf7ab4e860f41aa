/** How much there is of each key. A key of which there is nothing takes no room. */
export class Tally<K> {
  readonly #amounts = new Map<K, number>()

  /** Keys of which there is something. */
  get size(): number {
    return this.#amounts.size
  }

  of(key: K): number {
    return this.#amounts.get(key) ?? 0
  }

  /** `by` below 0 takes away, down to nothing. */
  add(key: K, by: number): void {
    const left = this.of(key) + by
    if (left > 0) this.#amounts.set(key, left)
    else this.#amounts.delete(key)
  }

  clear(): void {
    this.#amounts.clear()
  }
}

/** Keeps the newest values by key; when there are too many, those set longest ago go. */
export class Newest<K, V> {
  readonly #max: number
  readonly #values = new Map<K, V>()

  /** `max` is how many values are kept. */
  constructor(max: number) {
    this.#max = max
  }

  get(key: K): V | undefined {
    return this.#values.get(key)
  }

  set(key: K, value: V): void {
    // The newest value is last.
    this.#values.delete(key)
    this.#values.set(key, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.#max && oldest !== undefined) this.#values.delete(oldest)
  }
}

/** Values by key, of which the newest are kept: of too many, those go that were set longest ago. */
export class Newest<K, V> {
  readonly #max: number
  readonly #values = new Map<K, V>()

  /** `max`: how many are kept. */
  constructor(max: number) {
    this.#max = max
  }

  get(key: K): V | undefined {
    return this.#values.get(key)
  }

  set(key: K, value: V): void {
    // The newest stands last.
    this.#values.delete(key)
    this.#values.set(key, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.#max && oldest !== undefined) this.#values.delete(oldest)
  }
}

/** The latest items, oldest first. Adding is cheap, because the oldest are dropped many at a time. */
export class Recent<T> {
  readonly #max: number
  #items: T[] = []

  constructor(max: number) {
    this.#max = max
  }

  add(item: T): void {
    this.#items.push(item)
    if (this.#items.length >= this.#max * 2) this.#items = this.#items.slice(-this.#max)
  }

  list(): readonly T[] {
    return this.#items.length > this.#max ? this.#items.slice(-this.#max) : this.#items
  }

  clear(): void {
    this.#items = []
  }
}

/**
 * Waiting work of many numbers: each number gets its turn, whatever the others queued. Bounded in all and per number.
 */
export class FairQueue<T> {
  readonly #mostPerKey: number
  readonly #most: number
  /** Keys in the order of their turns. */
  readonly #lines = new Map<string, T[]>()
  #size = 0

  constructor(mostPerKey: number, most: number) {
    this.#mostPerKey = mostPerKey
    this.#most = most
  }

  get size(): number {
    return this.#size
  }

  /** False when there is no room. */
  push(key: string, item: T): boolean {
    const line = this.#lines.get(key) ?? []
    if (this.#size >= this.#most || line.length >= this.#mostPerKey) return false
    line.push(item)
    this.#lines.set(key, line)
    this.#size++
    return true
  }

  /** The first item, in order of turns, that `mayGo`; its number's next turn comes after all others. */
  shift(mayGo: (item: T) => boolean): T | null {
    for (const [key, line] of this.#lines) {
      const at = line.findIndex(mayGo)
      if (at < 0) continue
      const [item] = line.splice(at, 1)
      this.#lines.delete(key)
      if (line.length > 0) this.#lines.set(key, line)
      this.#size--
      return item ?? null
    }
    return null
  }

  /** Takes an item out; false when it is not waiting. */
  remove(key: string, item: T): boolean {
    const line = this.#lines.get(key)
    const at = line?.indexOf(item) ?? -1
    if (!line || at < 0) return false
    line.splice(at, 1)
    if (line.length === 0) this.#lines.delete(key)
    this.#size--
    return true
  }

  /** Empties the queue and answers what waited. */
  clear(): T[] {
    const all = [...this.#lines.values()].flat()
    this.#lines.clear()
    this.#size = 0
    return all
  }
}

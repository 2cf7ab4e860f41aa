/** our choice: this many messages of a kind are remembered on each network; the oldest go first. */
const MAX_MESSAGES = 50_000

interface Kept<T> {
  readonly item: T
  readonly peers: readonly string[]
}

/** Messages by key and by their peers, so that no look-up walks through all of them. */
export class Shelf<T> {
  readonly #max: number
  readonly #byKey = new Map<string, Kept<T>>()
  readonly #byPeer = new Map<string, Set<T>>()

  constructor(max: number = MAX_MESSAGES) {
    this.#max = max
  }

  /** Adds an item; a key is used once. */
  add(key: string, peers: readonly string[], item: T): void {
    this.#byKey.set(key, { item, peers })
    for (const peer of peers) {
      const own = this.#byPeer.get(peer)
      if (own) own.add(item)
      else this.#byPeer.set(peer, new Set([item]))
    }
    if (this.#byKey.size > this.#max) this.#forgetOldest()
  }

  get(key: string): T | null {
    return this.#byKey.get(key)?.item ?? null
  }

  /** Items of a peer, oldest first. */
  of(peer: string): T[] {
    return [...(this.#byPeer.get(peer) ?? [])]
  }

  clear(): void {
    this.#byKey.clear()
    this.#byPeer.clear()
  }

  #forgetOldest(): void {
    const [oldest] = this.#byKey
    if (!oldest) return
    const [key, { item, peers }] = oldest
    this.#byKey.delete(key)
    for (const peer of peers) {
      const own = this.#byPeer.get(peer)
      own?.delete(item)
      if (own?.size === 0) this.#byPeer.delete(peer)
    }
  }
}

/**
 * Who works when: one after another, a few at once, by key, fair between many. Nothing here knows the time or cancels
 * what has begun.
 */

export interface TurnLimits {
  /** At once of one key. Default 1. */
  readonly ofKey?: number
  /** At once in all. Default: as many as there are keys. */
  readonly inAll?: number
  /** Waiting of one key, as `runIfRoom` counts. Default: no limit. */
  readonly mostWaiting?: number
}

interface Asked {
  /** The order of asking, over all keys. */
  readonly at: number
  begin(): void
}

interface Line {
  /** Of the key: those who work, and those whom the limit in all alone keeps waiting. */
  taken: number
  /** Those whom the others of their key keep waiting. */
  readonly waiting: Asked[]
}

/**
 * Work by key: so much at once of each key, and in all; the rest waits in the order of asking, whatever becomes of what
 * went before. Work that need not wait begins at once. A key nobody uses costs nothing.
 */
export class KeyedTurns {
  readonly #ofKey: number
  readonly #inAll: number
  readonly #mostWaiting: number
  readonly #lines = new Map<string, Line>()
  /** Whom the limit in all alone keeps waiting. */
  readonly #next: Asked[] = []
  #running = 0
  #asked = 0

  constructor({ ofKey = 1, inAll = Infinity, mostWaiting = Infinity }: TurnLimits = {}) {
    this.#ofKey = ofKey
    this.#inAll = inAll
    this.#mostWaiting = mostWaiting
  }

  /** Runs `work` when its turn comes, and answers what it answers, or throws what it throws. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { taken: 0, waiting: [] }
    this.#lines.set(key, line)
    const isFree = line.taken < this.#ofKey
    if (isFree) line.taken++
    if (isFree && this.#running < this.#inAll) this.#running++
    else await new Promise<void>((begin) => (isFree ? this.#next : line.waiting).push({ at: ++this.#asked, begin }))
    try {
      return await work()
    } finally {
      this.#leave(key, line)
    }
  }

  /** The same; null at once when as many of the key wait as may. */
  async runIfRoom<T>(key: string, work: () => Promise<T>): Promise<T | null> {
    const { taken, waiting } = this.#lines.get(key) ?? { taken: 0, waiting: [] }
    return taken + waiting.length >= this.#ofKey + this.#mostWaiting ? null : this.run(key, work)
  }

  /** Places are handed on, so that nobody who comes now is before those who wait. */
  #leave(key: string, line: Line): void {
    const heir = line.waiting.shift()
    if (heir) this.#next.splice(this.#next.findLastIndex(({ at }) => at < heir.at) + 1, 0, heir)
    else if (--line.taken === 0) this.#lines.delete(key)
    const next = this.#next.shift()
    if (next) next.begin()
    else this.#running--
  }
}

/** Work of one key: so much at once, one after another unless told; the rest waits in the order of asking. */
export class Turns {
  readonly #turns: KeyedTurns

  constructor(atOnce: number = 1) {
    this.#turns = new KeyedTurns({ ofKey: atOnce })
  }

  /** Runs `work` when its turn comes, and answers what it answers, or throws what it throws. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run('', work)
  }
}

/** What waits of many keys: each has its turn, whatever the others queued. Bounded in all and per key. */
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

  /** How many items of the key wait. */
  sizeOf(key: string): number {
    return this.#lines.get(key)?.length ?? 0
  }

  /** What waits of each key, in the order of turns. */
  lines(): Iterable<readonly [key: string, line: readonly T[]]> {
    return this.#lines
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

  /** The first item, in the order of turns, that `mayGo`; its key's next turn comes after all others. */
  shift(mayGo: (item: T) => boolean = () => true): T | null {
    for (const [key, line] of this.#lines) {
      const item = line.find(mayGo)
      if (item === undefined) continue
      this.take(key, item)
      return item
    }
    return null
  }

  /** Takes an item out as its key's turn: the next one comes after all others. */
  take(key: string, item: T): void {
    if (!this.remove(key, item)) return
    const line = this.#lines.get(key)
    this.#lines.delete(key)
    if (line) this.#lines.set(key, line)
  }

  /** Takes an item out, its key's turn untouched; false when it is not waiting. */
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

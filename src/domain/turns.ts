/**
 * Turns decide who works when: one after another, a few at once, by key, fair between many. Nothing here knows the time
 * or cancels work that has begun.
 */

export interface TurnLimits {
  /** Work at once of one key; 1 when left out. */
  readonly ofKey?: number
  /** Work at once of all keys; without limit when left out. */
  readonly inAll?: number
  /** Work of one key that may wait in `runIfRoom`; without limit when left out. */
  readonly mostWaiting?: number
}

interface Asked {
  /** Rises with each asking, over all keys. */
  readonly at: number
  begin(): void
}

interface Line {
  /** Places of the key in use: by work that runs, and by work that only the limit in all keeps waiting. */
  taken: number
  /** Work that other work of the key keeps waiting. */
  readonly waiting: Asked[]
}

/**
 * Runs work by key: a limited number at once of each key, and in all. The rest waits in the order of asking, even if
 * earlier work failed. Work that need not wait begins at once. An unused key costs nothing.
 */
export class KeyedTurns {
  readonly #ofKey: number
  readonly #inAll: number
  readonly #mostWaiting: number
  readonly #lines = new Map<string, Line>()
  /** Work that only the limit in all keeps waiting. */
  readonly #next: Asked[] = []
  #running = 0
  #asked = 0

  constructor({ ofKey = 1, inAll = Infinity, mostWaiting = Infinity }: TurnLimits = {}) {
    this.#ofKey = ofKey
    this.#inAll = inAll
    this.#mostWaiting = mostWaiting
  }

  /** Runs `work` when its turn comes; resolves and rejects as it does. */
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

  /** Runs as `run` does; null at once when as much work of the key waits as may. */
  async runIfRoom<T>(key: string, work: () => Promise<T>): Promise<T | null> {
    const { taken, waiting } = this.#lines.get(key) ?? { taken: 0, waiting: [] }
    return taken + waiting.length >= this.#ofKey + this.#mostWaiting ? null : this.run(key, work)
  }

  /** Hands the place of finished work on, so that newcomers never overtake those who wait. */
  #leave(key: string, line: Line): void {
    const heir = line.waiting.shift()
    if (heir) this.#next.splice(this.#next.findLastIndex(({ at }) => at < heir.at) + 1, 0, heir)
    else if (--line.taken === 0) this.#lines.delete(key)
    const next = this.#next.shift()
    if (next) next.begin()
    else this.#running--
  }
}

/** Runs work of one key: one after another unless told otherwise; the rest waits in the order of asking. */
export class Turns {
  readonly #turns: KeyedTurns

  constructor(atOnce: number = 1) {
    this.#turns = new KeyedTurns({ ofKey: atOnce })
  }

  /** Runs `work` when its turn comes; resolves and rejects as it does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run('', work)
  }
}

/** Items of many keys that wait: each key has its turn, however much others queued. Bounded in all and per key. */
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

  /** Counts the waiting items of a key. */
  sizeOf(key: string): number {
    return this.#lines.get(key)?.length ?? 0
  }

  /** Lists the waiting items of each key, in the order of turns. */
  lines(): Iterable<readonly [key: string, line: readonly T[]]> {
    return this.#lines
  }

  /** Adds an item; false when there is no room. */
  push(key: string, item: T): boolean {
    const line = this.#lines.get(key) ?? []
    if (this.#size >= this.#most || line.length >= this.#mostPerKey) return false
    line.push(item)
    this.#lines.set(key, line)
    this.#size++
    return true
  }

  /**
   * Takes the first item, in the order of turns, that `mayGo`; its key's next turn comes after all others. Null when
   * none.
   */
  shift(mayGo: (item: T) => boolean = () => true): T | null {
    for (const [key, line] of this.#lines) {
      const item = line.find(mayGo)
      if (item === undefined) continue
      this.take(key, item)
      return item
    }
    return null
  }

  /** Takes an item out as its key's turn: the key's next turn comes after all others. */
  take(key: string, item: T): void {
    if (!this.remove(key, item)) return
    const line = this.#lines.get(key)
    this.#lines.delete(key)
    if (line) this.#lines.set(key, line)
  }

  /** Takes an item out without using its key's turn; false when it is not waiting. */
  remove(key: string, item: T): boolean {
    const line = this.#lines.get(key)
    const at = line?.indexOf(item) ?? -1
    if (!line || at < 0) return false
    line.splice(at, 1)
    if (line.length === 0) this.#lines.delete(key)
    this.#size--
    return true
  }

  /** Empties the queue and gives what waited. */
  clear(): T[] {
    const all = [...this.#lines.values()].flat()
    this.#lines.clear()
    this.#size = 0
    return all
  }
}

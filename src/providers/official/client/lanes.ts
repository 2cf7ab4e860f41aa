/**
 * Limits what is under way for each key. Turns are given in order of asking; a key nobody uses costs nothing.
 */
export class Lanes {
  readonly #width: number
  readonly #queue: number
  readonly #lanes = new Map<string, { running: number; waiting: (() => void)[] }>()

  /** `width` at once for each key, and `queue` more waiting. */
  constructor(width: number, queue: number) {
    this.#width = width
    this.#queue = queue
  }

  /** Runs `work` when its turn comes; null at once when too many wait. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T | null> {
    const lane = this.#lanes.get(key) ?? { running: 0, waiting: [] }
    this.#lanes.set(key, lane)
    if (lane.running < this.#width) lane.running += 1
    else if (lane.waiting.length >= this.#queue) return null
    // Whoever finishes hands its place over, so `running` stays as it is.
    else await new Promise<void>((turn) => lane.waiting.push(turn))
    try {
      return await work()
    } finally {
      const next = lane.waiting.shift()
      if (next) next()
      else if (--lane.running === 0) this.#lanes.delete(key)
    }
  }
}

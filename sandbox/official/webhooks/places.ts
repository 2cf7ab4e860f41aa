/** So much is under way at once; the rest waits, in the order it came. */
export class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  /** Runs `work` once there is a place for it. What it throws is thrown on. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((turn) => this.#waiting.push(turn))
    try {
      return await work()
    } finally {
      // A place that somebody waits for is handed on, so that nobody who comes now is before them.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}

/** Runs one piece of work at a time, in the order they were asked for, whatever becomes of those before. */
export class Turns {
  #tail: Promise<unknown> = Promise.resolve()

  /** Answers what `run` answers, or throws what it throws. */
  take<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(run, run)
    this.#tail = turn
    return turn
  }
}

interface Waiting {
  readonly key: string
  /** Never rejects. */
  begin(): Promise<void>
}

/**
 * Runs a few pieces of work at once, those of one key one after another; the rest wait in the order they were asked
 * for, whatever becomes of those before.
 */
export class KeyedTurns {
  readonly #most: number
  readonly #busy = new Set<string>()
  readonly #waiting: Waiting[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Answers what `run` answers, or throws what it throws. */
  take<T>(key: string, run: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waiting.push({ key, begin: () => run().then(resolve, reject) })
    this.#goOn()
    return promise
  }

  #goOn(): void {
    while (this.#busy.size < this.#most) {
      const at = this.#waiting.findIndex(({ key }) => !this.#busy.has(key))
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1)
      if (next === undefined) return
      this.#busy.add(next.key)
      void next.begin().then(() => {
        this.#busy.delete(next.key)
        this.#goOn()
      })
    }
  }
}

interface Waiting {
  readonly key: string
  /** Never rejects. */
  begin(): Promise<void>
}

/**
 * Lets a few work at once, of one key one at a time; others wait in order. Leads of a Page are stored one after another by their rows: waiting for that in
 * the database would hold a connection each.
 */
export class Turns {
  readonly #most: number
  readonly #busy = new Set<string>()
  readonly #waiting: Waiting[] = []

  constructor(most: number) {
    this.#most = most
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waiting.push({ key, begin: () => work().then(resolve, reject) })
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

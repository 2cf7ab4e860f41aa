/** Places that a number of tests have at once; the others wait for theirs, in the order in which they came. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}

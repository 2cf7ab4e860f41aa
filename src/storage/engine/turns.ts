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

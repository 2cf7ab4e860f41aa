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

/** The same for each key; one that nobody uses costs nothing. */
export class KeyedTurns {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** Answers what `run` answers, or throws what it throws. */
  take<T>(key: string, run: () => Promise<T>): Promise<T> {
    const turn = (this.#tails.get(key) ?? Promise.resolve()).then(run, run)
    this.#tails.set(key, turn)
    const forget = () => {
      if (this.#tails.get(key) === turn) this.#tails.delete(key)
    }
    turn.then(forget, forget)
    return turn
  }
}

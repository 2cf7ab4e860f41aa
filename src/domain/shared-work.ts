/** Begins the work; `signal` is aborted when nobody waits for its result any more. */
type Start<T> = (signal: AbortSignal) => Promise<T>

interface Run<T> {
  readonly abort: AbortController
  readonly result: Promise<T>
  /** How many wait for the result. */
  users: number
}

/**
 * Work by key that several callers want at once: it is done once, and all of them share its result, a failure too.
 * Nothing is kept beyond its end: a later caller begins it anew, even in the first step after hearing of the end. An
 * unused key costs nothing. The class knows no time.
 */
export class SharedWork<T> {
  readonly #running = new Map<string, Run<T>>()

  /** True while work of the key is under way. */
  has(key: string): boolean {
    return this.#running.has(key)
  }

  /**
   * Begins the work of a key at once, or joins the work under way, which may have begun long before. Resolves and
   * rejects as the work does.
   */
  join(key: string, start: Start<T>): Promise<T> {
    return this.#enter(key, start).result
  }

  /**
   * Joins as `join` does, until `signal` is aborted: then it resolves to null. The work goes on until the last of those
   * who share it has left; work that is being stopped cannot be joined.
   */
  joinUntil(signal: AbortSignal, key: string, start: Start<T>): Promise<T | null> {
    if (signal.aborted) return Promise.resolve(null)
    const run = this.#enter(key, start)
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        resolve(null)
        if (--run.users > 0) return
        this.#forget(key, run)
        run.abort.abort()
      }
      signal.addEventListener('abort', onAbort, { once: true })
      run.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
    })
  }

  /** Resolves once all that is under way now has ended, however it ended. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ result }) => result))
  }

  #enter(key: string, start: Start<T>): Run<T> {
    const run = this.#running.get(key) ?? this.#begin(key, start)
    run.users++
    return run
  }

  #begin(key: string, start: Start<T>): Run<T> {
    const abort = new AbortController()
    const work = async (): Promise<T> => start(abort.signal)
    // The work is forgotten before any of those who share it hears of its end.
    const run: Run<T> = { abort, users: 0, result: work().finally(() => this.#forget(key, run)) }
    this.#running.set(key, run)
    return run
  }

  #forget(key: string, run: Run<T>): void {
    if (this.#running.get(key) === run) this.#running.delete(key)
  }
}

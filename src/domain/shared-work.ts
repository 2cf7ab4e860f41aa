/** Begins the work; `signal` is aborted when nobody waits for it any more. */
type Start<T> = (signal: AbortSignal) => Promise<T>

interface Run<T> {
  readonly abort: AbortController
  readonly result: Promise<T>
  /** Those who wait for it. */
  users: number
}

/**
 * Work by key that several want at once: it is done once, and all of them share what comes of it, a failure too.
 * Nothing is kept beyond its end: whoever asks then begins it anew, even as the first thing after hearing of it. A key
 * nobody uses costs nothing. Nothing here knows the time.
 */
export class SharedWork<T> {
  readonly #running = new Map<string, Run<T>>()

  /** Whether work of the key is under way. */
  has(key: string): boolean {
    return this.#running.has(key)
  }

  /**
   * Begins the work of a key at once, or joins what is under way, which may have begun long before. Answers what it
   * answers, or throws what it throws.
   */
  join(key: string, start: Start<T>): Promise<T> {
    return this.#enter(key, start).result
  }

  /**
   * The same until `signal` is aborted: then null. Work goes on until the last of those who share it has left; what is
   * being stopped is joined by nobody.
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
    // Forgotten before any of those who share it hears of the end.
    const run: Run<T> = { abort, users: 0, result: work().finally(() => this.#forget(key, run)) }
    this.#running.set(key, run)
    return run
  }

  #forget(key: string, run: Run<T>): void {
    if (this.#running.get(key) === run) this.#running.delete(key)
  }
}

/** Work that several want at once is done once, and goes on until the last of them leaves. */
export class SharedWork<T> {
  readonly #running = new Map<string, Run<T>>()

  /** Starts the work of a key, or joins it. Null when `signal` was aborted before the end. */
  join(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    if (signal.aborted) return Promise.resolve(null)
    const run = this.#running.get(key) ?? this.#start(key, start)
    run.users++
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        resolve(null)
        if (--run.users > 0) return
        // Nobody may join what is being stopped.
        this.#forget(key, run)
        run.abort.abort()
      }
      signal.addEventListener('abort', onAbort, { once: true })
      run.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
    })
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): Run<T> {
    const abort = new AbortController()
    const run: Run<T> = { abort, users: 0, result: start(abort.signal) }
    this.#running.set(key, run)
    void run.result.catch(() => {}).then(() => this.#forget(key, run))
    return run
  }

  #forget(key: string, run: Run<T>): void {
    if (this.#running.get(key) === run) this.#running.delete(key)
  }
}

interface Run<T> {
  readonly abort: AbortController
  readonly result: Promise<T>
  users: number
}

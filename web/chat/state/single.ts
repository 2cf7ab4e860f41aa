import { RequestFailure } from '../api/failure.ts'

/** Small requests of which at most one runs per key. A failure does no harm, because the next occasion tries again. */
export class Single {
  readonly #running = new Set<string>()

  async once(key: string, run: () => Promise<void>): Promise<void> {
    if (this.#running.has(key)) return
    this.#running.add(key)
    try {
      await run()
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
    } finally {
      this.#running.delete(key)
    }
  }
}

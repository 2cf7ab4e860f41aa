/** Tracks arrivals that are being told. Acknowledgements to the network wait until those are on the disk. */
export class Tellings {
  readonly #running = new Set<Promise<unknown>>()

  /** Adds a telling. Its failure is logged by the caller and delays nobody. */
  add(telling: Promise<unknown>): void {
    const ended = telling.catch(() => {}).finally(() => this.#running.delete(ended))
    this.#running.add(ended)
  }

  /** Resolves once all tellings under way at the call are over. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }
}

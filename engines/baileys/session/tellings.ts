/**
 * What is being told of things that arrived: whoever acknowledges them to the network waits until it is on the disk.
 */
export class Tellings {
  readonly #running = new Set<Promise<unknown>>()

  /** A failure is the caller's to log; it holds nobody up. */
  add(telling: Promise<unknown>): void {
    const ended = telling.catch(() => {}).finally(() => this.#running.delete(ended))
    this.#running.add(ended)
  }

  /** Resolves once all that was being told when it was asked is over. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }
}

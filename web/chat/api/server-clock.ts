/** The server's clock, estimated from the answers so far: the clock of this device may be wrong by hours. */
export class ServerClock {
  #aheadMs = 0

  /** Takes the `date` header of an answer, which has whole seconds. */
  told(date: string | null): void {
    const atMs = date === null ? Number.NaN : Date.parse(date)
    if (!Number.isNaN(atMs)) this.#aheadMs = atMs - Date.now()
  }

  /** The server's time now, in ms since the epoch. */
  now(): number {
    return Date.now() + this.#aheadMs
  }
}

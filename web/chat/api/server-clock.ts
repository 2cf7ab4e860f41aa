/** What the server's clock says now, as far as its answers told: ours may be wrong by hours. */
export class ServerClock {
  #aheadMs = 0

  /** Takes the `date` header of an answer, which counts seconds. */
  told(date: string | null): void {
    const atMs = date === null ? Number.NaN : Date.parse(date)
    if (!Number.isNaN(atMs)) this.#aheadMs = atMs - Date.now()
  }

  /** Ms since the epoch. */
  now(): number {
    return Date.now() + this.#aheadMs
  }
}

/** How much a peer may send. */
export interface InflowRates {
  readonly framesPerSecond: number
  readonly bytesPerSecond: number
}

/** Our choice: what a peer may send at once after a silence, in ms of its rates. */
const BURST_MS = 1_000

/** Counts how far a peer is ahead of its rates: what it sends beyond them is read later, never thrown away. */
export class Inflow {
  readonly #rates: InflowRates
  #paidUntilMs = Number.NEGATIVE_INFINITY

  constructor(rates: InflowRates) {
    this.#rates = rates
  }

  /** Counts a frame. Gives the ms for which nothing more is to be read, 0 to read on. `nowMs` is monotonic. */
  take(bytes: number, nowMs: number): number {
    const { framesPerSecond, bytesPerSecond } = this.#rates
    const costMs = 1_000 * Math.max(1 / framesPerSecond, bytes / bytesPerSecond)
    this.#paidUntilMs = Math.max(this.#paidUntilMs, nowMs - BURST_MS) + costMs
    return this.behindMs(nowMs)
  }

  /** Gives the ms for which nothing more is to be read. */
  behindMs(nowMs: number): number {
    return Math.max(0, this.#paidUntilMs - nowMs)
  }
}

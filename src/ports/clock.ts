/** A running timer. Cancelling one that has fired does nothing. */
export interface Timer {
  cancel(): void
}

/** Time as the parts see it, so that tests can move it. */
export interface Clock {
  /** Wall clock, ms since the epoch: for what is stored and shown. */
  now(): number
  /** Monotonic ms: for durations and deadlines. */
  monotonicMs(): number
  /** Calls `fire` once after `delayMs`. The timer never keeps the process alive. */
  after(delayMs: number, fire: () => void): Timer
}

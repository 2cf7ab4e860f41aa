/** The time that pages use, so that tests can control it. */
export interface PageClock {
  /** Ms that run evenly, whatever happens to the clock of the device. */
  monotonicMs(): number
  /** Calls `fire` once after `delayMs`. */
  after(delayMs: number, fire: () => void): { cancel(): void }
}

/** The clock of the browser. */
export const browserClock: PageClock = {
  monotonicMs: () => performance.now(),
  after(delayMs, fire) {
    const id = setTimeout(fire, Math.max(0, delayMs))
    return { cancel: () => clearTimeout(id) }
  },
}

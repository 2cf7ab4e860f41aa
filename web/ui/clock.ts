/** Time as pages see it, so that tests can move it. */
export interface PageClock {
  /** Ms that run evenly, whatever is done to the clock of the device. */
  monotonicMs(): number
  /** Calls `fire` once after `delayMs`. */
  after(delayMs: number, fire: () => void): { cancel(): void }
}

/** The browser's. */
export const browserClock: PageClock = {
  monotonicMs: () => performance.now(),
  after(delayMs, fire) {
    const id = setTimeout(fire, Math.max(0, delayMs))
    return { cancel: () => clearTimeout(id) }
  },
}

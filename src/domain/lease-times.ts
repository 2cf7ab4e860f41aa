/** Times of the lease of a number in ms; all follow from how long it lasts (contract 20, LEASE_TTL_MS). */
export interface LeaseTimes {
  /** From when a renewal was sent, by the clock of the database. */
  readonly ttlMs: number
  /** contract 20: renewed every third of it. */
  readonly renewMs: number
  /** contract 20: a taker waits a third of it longer. */
  readonly graceMs: number
  /**
   * An owner closes its sessions this long before its lease ends, by its own monotonic clock. our choice: a quarter, so
   * that two renewals fit in before.
   */
  readonly safetyMs: number
  /** our choice: how often an owner looks at its own deadline, three times within the safety. */
  readonly checkMs: number
  /**
   * our choice: a look that comes this much later than it was set for says that the process did not run. With a look it
   * fits into the safety.
   */
  readonly stallMs: number
  /**
   * our choice: how often a node looks for numbers that want an owner: what was held by a killed node is found so long
   * after its leases are over.
   */
  readonly lookMs: number
}

/** The times of leases that last `ttlMs`. */
export function leaseTimesOf(ttlMs: number): LeaseTimes {
  const [third, sixth, twelfth] = [3, 6, 12].map((part) => Math.round(ttlMs / part)) as [number, number, number]
  return {
    ttlMs,
    renewMs: third,
    graceMs: third,
    safetyMs: Math.round(ttlMs / 4),
    checkMs: twelfth,
    stallMs: sixth,
    lookMs: sixth,
  }
}

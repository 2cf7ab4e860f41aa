/** Times of the lease of a number in ms; all follow from how long it lasts ([configuration.variables.30]). */
export interface LeaseTimes {
  /** Counted from when a renewal was sent, by the clock of the database. */
  readonly ttlMs: number
  /** A lease is renewed every third of its time ([configuration.variables.30]). */
  readonly renewMs: number
  /** A taker waits a third of it longer ([configuration.variables.30]). */
  readonly graceMs: number
  /**
   * An owner closes its sessions this long before its lease ends, by its own monotonic clock ([nodes.placement.4]). our
   * choice: a quarter, so that two renewals fit in before.
   */
  readonly safetyMs: number
  /** our choice: how often an owner checks its own deadline, three times within the safety. */
  readonly checkMs: number
  /**
   * our choice: a check that comes this much later than planned shows that the process did not run. Together with the
   * time between checks it fits into the safety.
   */
  readonly stallMs: number
  /**
   * our choice: how often a node looks for numbers that want an owner. A killed node's numbers are found at most this
   * long after its leases are over.
   */
  readonly lookMs: number
}

/** Computes the times of leases that last `ttlMs`. */
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

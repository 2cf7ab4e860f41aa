const HOUR_MS = 3_600_000
/** Waits before a lead is asked for again; the last repeats ([leads.fetching.3]). */
export const LEAD_RETRY_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000, HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS]
/** A notice is given up after this long ([leads.fetching.3]). */
export const LEAD_TRIES_MS = 7 * 24 * HOUR_MS

export interface FailedTries {
  /** Tries that failed before this one. */
  readonly tries: number
  /** When the first was due. */
  readonly since: Date
  /** How long upstream says that asking is of no use; 0 when it says nothing. */
  readonly heldMs: number
}

/** Finds when to try again; null when never. */
export function nextTryAt(
  { tries, since, heldMs }: FailedTries,
  retryMs: readonly number[],
  nowMs: number,
): Date | null {
  const waitMs = retryMs[Math.min(tries, retryMs.length - 1)] ?? HOUR_MS
  const atMs = nowMs + Math.max(waitMs, heldMs)
  return atMs - since.getTime() > LEAD_TRIES_MS ? null : new Date(atMs)
}

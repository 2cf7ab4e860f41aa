const HOUR_MS = 3_600_000
/** contract 12, One lead, once: waits before a lead is asked for again; the last repeats. */
export const LEAD_RETRY_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000, HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS]
/** contract 12: what cannot be had for so long is given up. */
export const LEAD_TRIES_MS = 7 * 24 * HOUR_MS

export interface FailedTries {
  /** Tries that came to nothing before this one. */
  readonly tries: number
  /** When the first was due. */
  readonly since: Date
  /** As long as upstream says that nothing comes of asking; 0: it says nothing. */
  readonly heldMs: number
}

/** When to try again; null: never. */
export function nextTryAt(
  { tries, since, heldMs }: FailedTries,
  retryMs: readonly number[],
  nowMs: number,
): Date | null {
  const waitMs = retryMs[Math.min(tries, retryMs.length - 1)] ?? HOUR_MS
  const atMs = nowMs + Math.max(waitMs, heldMs)
  return atMs - since.getTime() > LEAD_TRIES_MS ? null : new Date(atMs)
}

const SECOND_MS = 1_000

/**
 * Reads `Retry-After` (RFC 9110, 10.2.3): seconds or a date. Null when it is neither, a negative number included; a
 * date in the past is 0.
 */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null
  const trimmed = text.trim()
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * SECOND_MS
  // A date has a letter in it; without one, Date.parse would read "-5" as a year.
  const at = /[a-z]/i.test(trimmed) ? Date.parse(trimmed) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

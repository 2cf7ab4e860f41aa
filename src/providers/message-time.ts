/** Unix seconds of the year 2286, milliseconds of April 1970: between the two lies all that is either. */
const SECONDS_END = 9_999_999_999
const LATEST_MS = SECONDS_END * 1_000

/**
 * When a message happened, of unix seconds or milliseconds as its sender writes them. Our choice: a time that is missing, not
 * after 1970 or beyond the year 2286 is now, since a message that just came in happened about now and is not lost for its clock.
 */
export function happenedAt(timestamp: number | null): Date {
  if (timestamp === null || !Number.isFinite(timestamp) || timestamp <= 0) return new Date()
  const ms = timestamp <= SECONDS_END ? timestamp * 1_000 : timestamp
  return ms > LATEST_MS ? new Date() : new Date(ms)
}

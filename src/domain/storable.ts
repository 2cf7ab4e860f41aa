/**
 * Makes values that others tell fit for storing. Every reader of upstream and of the device bridge takes values through
 * this file: PostgreSQL keeps no NUL and no lone surrogate in a text, integers of 4 bytes, times of the years 0001 to
 * 9999, and finds rows by 2,704 bytes at most.
 */

/**
 * Our choice, in UTF-16 units: longer names, of four bytes a character, may not fit into an index (PostgreSQL: 2,704
 * bytes).
 */
export const NAME_CHARACTERS = 300
/** Our choice: values of upstream lie a dozen deep at most, and the recursion that writes and reads them must end. */
const DEEPEST = 64
const INT4_MOST = 2_147_483_647

/**
 * Makes a text that PostgreSQL can keep. Our choice: NUL and lone surrogates become U+FFFD, so the write succeeds and
 * the fault stays visible.
 */
export function storableText(text: string): string {
  const withoutNul = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed()
}

/**
 * Makes a JSON value that can be kept and is read back the same: every text and key in it storable, null in place of
 * values deeper than 64 lists and objects and of numbers too large for any (1e400), 0 in place of -0. Gives the value
 * itself when nothing was wrong with it.
 */
export function storableJson(value: unknown): unknown {
  return isStorable(value, DEEPEST) ? value : madeStorable(value, DEEPEST)
}

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Array.isArray(value)) return value.every((part) => isStorable(part, depth - 1))
  return Object.entries(value).every(([key, part]) => isStorableText(key) && isStorable(part, depth - 1))
}

function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function madeStorable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return null
  if (Array.isArray(value)) return value.map((part) => madeStorable(part, depth - 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [storableText(key), madeStorable(part, depth - 1)]),
  )
}

/**
 * Makes a name by which something is looked up; null when it is empty or longer than an index holds, since a part of it
 * would name something else.
 */
export function storableName(text: string | null, most: number = NAME_CHARACTERS): string | null {
  return text === null || text === '' || text.length > most ? null : storableText(text)
}

/** The beginning of a text that is only shown, `most` UTF-16 units at most; no character is cut in two. */
export function beginningOf(text: string, most: number = NAME_CHARACTERS): string {
  return storableText(text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/u, ''))
}

/**
 * Rounds a duration to whole seconds. Our choice: a negative one is 0, and one that 4 bytes cannot hold is their
 * maximum, 68 years.
 */
export function storableSeconds(seconds: number): number {
  return Math.min(INT4_MOST, Math.max(0, Math.round(seconds)))
}

/** Seconds of the year 2286, and milliseconds of April 1970: no time that upstream tells lies between the two. */
const SECONDS_END = 10_000_000_000
const MS_END = SECONDS_END * 1e3
/** Microseconds of the year 2001, before which upstream did not exist, to the year 2286. */
const US_BEGIN = 1e15
const US_END = SECONDS_END * 1e6

/**
 * Reads a time since 1970 in seconds, milliseconds or microseconds: its size tells the unit. Null when there is none,
 * when it is 0 or less, beyond the year 2286, or of no size that fits a unit.
 */
export function storableTime(written: number | null): Date | null {
  if (written === null || !(written > 0) || written >= US_END) return null
  if (written < SECONDS_END) return new Date(written * 1_000)
  if (written < MS_END) return new Date(written)
  return written < US_BEGIN ? null : new Date(written / 1_000)
}

/** ISO 8601 writes a year in four digits, and PostgreSQL has no year 0. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z')
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Gives a time that was read from a text when it can be stored; null otherwise. */
export function storableDate(date: Date | null): Date | null {
  const ms = date?.getTime() ?? NaN
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? date : null
}

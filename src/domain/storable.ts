/**
 * What of the things others tell can be stored. Every reader of upstream and of the device bridge takes values through
 * here: PostgreSQL keeps no NUL and no lone surrogate in a text, whole numbers of 4 bytes, times of the years 0001 to
 * 9999, and looks things up by no more than 2,704 bytes.
 */

/**
 * Our choice, in UTF-16 units: longer names, of four bytes a character, may not fit into an index (PostgreSQL: 2,704
 * bytes).
 */
export const NAME_CHARACTERS = 300
/**
 * Our choice: nothing of upstream's lies deeper than a dozen; what is written out and read again by recursion must end.
 */
const DEEPEST = 64
const INT4_MOST = 2_147_483_647

/**
 * Text as PostgreSQL can keep it. Our choice: NUL and lone surrogates become U+FFFD, so the write succeeds and the
 * fault stays visible.
 */
export function storableText(text: string): string {
  const withoutNul = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed()
}

/**
 * A JSON value as it can be kept and is read again: every text and key in it, null in place of what lies deeper than 64
 * lists and objects and of numbers beyond all (1e400), 0 in place of -0. The value itself where nothing was wrong with
 * it.
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
 * A name by which something is looked up; null when it says nothing or is longer than an index holds: part of one would
 * name something else.
 */
export function storableName(text: string | null, most: number = NAME_CHARACTERS): string | null {
  return text === null || text === '' || text.length > most ? null : storableText(text)
}

/** The beginning of a text that is only shown, `most` UTF-16 units at most; no character is cut in two. */
export function beginningOf(text: string, most: number = NAME_CHARACTERS): string {
  return storableText(text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/u, ''))
}

/**
 * Whole seconds of something that lasted. Our choice: less than nothing is nothing, and more than 4 bytes hold, 68
 * years, are those.
 */
export function storableSeconds(seconds: number): number {
  return Math.min(INT4_MOST, Math.max(0, Math.round(seconds)))
}

/** Seconds of the year 2286, milliseconds of April 1970: between the two lies all that is either. */
const SECONDS_END = 10_000_000_000
const MS_END = SECONDS_END * 1e3
/** Microseconds of the year 2001, before which nothing of upstream's happened, to 2286. */
const US_BEGIN = 1e15
const US_END = SECONDS_END * 1e6

/**
 * A time since 1970 in seconds, milliseconds or microseconds: its size says which. Null when there is none, when it is
 * 0 or less, beyond the year 2286, or absurd in all three.
 */
export function storableTime(written: number | null): Date | null {
  if (written === null || !(written > 0) || written >= US_END) return null
  if (written < SECONDS_END) return new Date(written * 1_000)
  if (written < MS_END) return new Date(written)
  return written < US_BEGIN ? null : new Date(written / 1_000)
}

/** ISO 8601 has four digits of a year, and PostgreSQL no year 0. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z')
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** A time that was read from a text, where it can be stored; null otherwise. */
export function storableDate(date: Date | null): Date | null {
  const ms = date?.getTime() ?? NaN
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? date : null
}

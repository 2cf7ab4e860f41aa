import type { Language } from '../../words/language.ts'

/** Times, days and sizes in a language. */
export interface Formats {
  /** For example 14:05. */
  time(at: string): string
  /** The same text for all times of one day in the browser's time zone. */
  dayKey(at: string): string
  /** Today, yesterday, a weekday of the last days, else the date. */
  day(at: string, nowMs: number): string
  /** For example Thursday, 1 January 2026 at 14:05:09 GMT-3. */
  full(at: string): string
  /** For example Thursday, 1 January 2026. */
  date(at: string): string
  /** The time when `at` is today, else the day; used in lists. */
  shortly(at: string, nowMs: number): string
  /** For example 1.4 MB. */
  size(bytes: number): string
  /** For example 1 h 20 min. */
  hours(ms: number): string
}

const DAY_MS = 86_400_000
/** Our choice: the days of this many times are cached, about 2 MB. */
const DAYS_KEPT = 30_000

/** Minutes and seconds of a duration, for example 1:07. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Formatters of a language. `words` are its words for today and yesterday. */
export function formatsOf(language: Language, words: { readonly today: string; readonly yesterday: string }): Formats {
  const of = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => new Intl.DateTimeFormat(language, options)
  const [whole, longDate] = [of({ dateStyle: 'full', timeStyle: 'long' }), of({ dateStyle: 'full' })]
  const [time, weekday, date, numeric] = [
    of({ timeStyle: 'short' }),
    of({ weekday: 'long' }),
    of({ day: 'numeric', month: 'long', year: 'numeric' }),
    of({ day: '2-digit', month: '2-digit', year: '2-digit' }),
  ]
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const dayKey = (at: string | number): string => new Date(at).toDateString()
  const kept = new Map<string, string>()
  // Every message of a thread needs its day whenever the thread changes: formatting 10,000 days took half of a 100 ms
  // task (measured).
  const keptDay = (at: string): string => {
    const known = kept.get(at)
    if (known !== undefined) return known
    if (kept.size >= DAYS_KEPT) kept.clear()
    const day = dayKey(at)
    kept.set(at, day)
    return day
  }
  const named = (at: string, nowMs: number): string | null => {
    if (dayKey(at) === dayKey(nowMs)) return words.today
    return dayKey(at) === dayKey(nowMs - DAY_MS) ? words.yesterday : null
  }
  return {
    time: (at) => time.format(new Date(at)),
    full: (at) => whole.format(new Date(at)),
    date: (at) => longDate.format(new Date(at)),
    dayKey: keptDay,
    day: (at, nowMs) => named(at, nowMs) ?? (nowMs - Date.parse(at) < 6 * DAY_MS ? weekday : date).format(new Date(at)),
    shortly: (at, nowMs) =>
      dayKey(at) === dayKey(nowMs) ? time.format(new Date(at)) : (named(at, nowMs) ?? numeric.format(new Date(at))),
    size: (bytes) =>
      bytes < 1024 * 1024 ? `${number.format(Math.ceil(bytes / 1024))} KB` : `${number.format(bytes / 1024 / 1024)} MB`,
    hours(ms) {
      const minutes = Math.max(1, Math.ceil(ms / 60_000))
      return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
    },
  }
}

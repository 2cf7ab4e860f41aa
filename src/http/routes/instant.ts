import { z } from 'zod'

const dateTime = z.iso.datetime({ offset: true })
const date = z.iso.date()

/** [rest.dates.1]: what PostgreSQL holds, the years 0001 to 9999 once the offset is applied. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

function isHeld(time: string): boolean {
  const atMs = Date.parse(time)
  return atMs >= FIRST_MS && atMs <= LAST_MS
}

/** JSON Schema of a field that takes a moment or a date. */
export const INSTANT = { anyOf: [{ format: 'date-time' }, { format: 'date' }] } satisfies Record<string, unknown>

type DayTime = 'T00:00:00.000Z' | 'T23:59:59.999Z'

/**
 * Reads an ISO 8601 moment, or a date as the moment of that day in UTC that `dayTime` names; null when it is neither,
 * or outside of the years 0001 to 9999.
 */
export function readInstant(text: string, dayTime: DayTime): Date | null {
  const time = dateTime.safeParse(text).success ? text : date.safeParse(text).success ? `${text}${dayTime}` : null
  return time !== null && isHeld(time) ? new Date(time) : null
}

/**
 * Reads a query field as an ISO 8601 moment, or as a date, which becomes the moment of that day in UTC that `dayTime`
 * names.
 */
export function queryInstant(description: string, dayTime: DayTime = 'T00:00:00.000Z') {
  return z
    .string()
    .transform((text, context) => {
      // The `+` of an offset that was not percent-encoded arrives as a space.
      const read = readInstant(text.replace(/ (?=\d{2}:\d{2}$)/, '+'), dayTime)
      if (read !== null) return read
      context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time or date of the years 0001 to 9999' })
      return z.NEVER
    })
    .meta({ ...INSTANT, description })
}

/** A body field that is an ISO 8601 moment with its offset. The output is the text as it was sent. */
export function bodyInstant(description: string) {
  return z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 time with its offset, as 2026-01-05T12:00:00Z' })
    .refine(isHeld, 'must be of the years 0001 to 9999')
    .nullish()
    .meta({ format: 'date-time', description })
}

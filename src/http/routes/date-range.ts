import { z } from 'zod'
import type { RefusalCode } from '../../domain/errors.ts'

const dateTime = z.iso.datetime({ offset: true })
const date = z.iso.date()

/** Reads an ISO 8601 moment, or a date as the moment of it that `dayTime` names, in UTC. */
function moment(dayTime: string, description: string) {
  return z.string().transform((text, context) => {
    // The `+` of an offset that was not percent-encoded arrives as a space.
    const time = text.replace(/ (?=\d{2}:\d{2}$)/, '+')
    if (dateTime.safeParse(time).success) return new Date(time)
    if (date.safeParse(time).success) return new Date(`${time}${dayTime}`)
    context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time or date' })
    return z.NEVER
  }).meta({ format: 'date-time', description })
}

/** Query fields of a range of dates, both ends inclusive. Our choice: a plain date as `endDate` takes its whole day in. */
export const rangeFields = {
  startDate: moment('T00:00:00.000Z', 'From then on').optional(),
  endDate: moment('T23:59:59.999Z', 'Until then, a date with its whole day').optional(),
}

/** For `refine`. */
export function isInOrder({ startDate, endDate }: { readonly startDate?: Date | undefined, readonly endDate?: Date | undefined }): boolean {
  return !startDate || !endDate || startDate <= endDate
}

export const NOT_IN_ORDER = { path: ['startDate'], message: 'must not be after endDate' }

export const RANGE_CODES: Readonly<Record<string, RefusalCode>> = { startDate: 'INVALID_DATE_RANGE', endDate: 'INVALID_DATE_RANGE' }

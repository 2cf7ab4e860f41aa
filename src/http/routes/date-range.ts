import { refuse, RefusalError, type RefusalCode } from '../../domain/errors.ts'
import { queryInstant, readInstant } from './instant.ts'

/**
 * Query fields of a range of dates, both ends inclusive. A plain `endDate` includes its whole day ([leads.paging.4]);
 * our choice: the same for all lists.
 */
export const rangeFields = {
  startDate: queryInstant('From then on').optional(),
  endDate: queryInstant('Until then, a date with its whole day', 'T23:59:59.999Z').optional(),
}

/** Whether `startDate` is not after `endDate`, for `refine`. */
export function isInOrder({
  startDate,
  endDate,
}: {
  readonly startDate?: Date | undefined
  readonly endDate?: Date | undefined
}): boolean {
  return !startDate || !endDate || startDate <= endDate
}

export const NOT_IN_ORDER = { path: ['startDate'], message: 'must not be after endDate' }

export const RANGE_CODES: Readonly<Record<string, RefusalCode>> = {
  startDate: 'INVALID_DATE_RANGE',
  endDate: 'INVALID_DATE_RANGE',
}

/**
 * Reads `since` or `until`, the field `path` of a body; null when it is absent. A date is the moment of that day in UTC
 * that `dayTime` names. Refusals: INVALID_DATE_RANGE, which names the field.
 */
export function dateIn(path: string, given: unknown, dayTime: Parameters<typeof readInstant>[1]): Date | null {
  if (given === undefined || given === null) return null
  const read = typeof given === 'string' ? readInstant(given, dayTime) : null
  if (read === null) {
    const message = 'must be an ISO 8601 time or date of the years 0001 to 9999'
    const details = [{ path, message }]
    throw new RefusalError(
      refuse(
        'INVALID_DATE_RANGE',
        'since and until must be ISO 8601 times or dates of the years 0001 to 9999',
        details,
      ),
    )
  }
  return read
}

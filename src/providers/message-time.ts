import { storableTime } from '../domain/storable.ts'

/**
 * The time of a message, from unix seconds, milliseconds or microseconds as its sender writes them. Our choice: a time
 * that is missing, not after 1970 or beyond the year 2286 is taken as now, because the message has just come in and
 * must not be lost for its sender's clock.
 */
export function happenedAt(timestamp: number | null): Date {
  return storableTime(timestamp) ?? new Date()
}

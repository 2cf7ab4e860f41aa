import { storableTime } from '../domain/storable.ts'

/**
 * When a message happened, of unix seconds, milliseconds or microseconds as its sender writes them. Our choice: a time
 * that is missing, not after 1970 or beyond the year 2286 is now, since a message that just came in happened about now
 * and is not lost for its clock.
 */
export function happenedAt(timestamp: number | null): Date {
  return storableTime(timestamp) ?? new Date()
}

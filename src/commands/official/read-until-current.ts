import { succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'

/** Our choice: upstream is read so often for rows that change meanwhile; the last read is taken over. */
const READS = 3

/** Whether a row is newer than what was read. `row`: null when it existed and was removed meanwhile. */
export type IsNewer = (row: { readonly updatedAt: Date } | null) => boolean

/**
 * Reads upstream and has what it shows taken over. An event told during the read is newer: `take` leaves alone the rows
 * that `isNewer` is true of, and upstream is read again.
 */
export async function readUntilCurrent<Shown, Taken>(
  clock: Pick<Clock, 'now'>,
  read: () => Promise<Outcome<Shown>>,
  take: (shown: Shown, isNewer: IsNewer) => Promise<Taken>,
): Promise<Outcome<Taken>> {
  for (let reads = 1; ; reads++) {
    const asked = clock.now()
    const shown = await read()
    if (!shown.ok) return shown
    let isOvertaken = false
    const taken = await take(shown.value, (row) => {
      const isNewer = reads < READS && (row === null || row.updatedAt.getTime() > asked)
      isOvertaken ||= isNewer
      return isNewer
    })
    if (!isOvertaken) return succeed(taken)
  }
}

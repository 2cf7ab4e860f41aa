import { BEGINNING_MS } from '../machine.ts'
import type { Checker } from './checker.ts'

/** Our choice: numbers are taken and their sessions opened in the first seconds of a run. */
const SETTLED_MS = 10_000
/** Less than the pause between two looks for work that nobody told of (actors/hosting/timers.ts). */
const MOST_MS = 2_000

/** What is accepted and what is told leaves at once; whatever finds forgotten work would come later than this. */
export const nothingWaits: Checker = ({
  cluster: { database, upstream, receivers },
  workload: { accepted },
  isCalm,
}) => {
  if (!isCalm) return []
  const sends = accepted.flatMap(({ numberId, messageId, text, atMs }) => {
    const taken = upstream.device(numberId).taken.find((one) => one.messageId === messageId)
    return taken === undefined || atMs < SETTLED_MS || taken.atMs - atMs <= MOST_MS
      ? []
      : [`${text} waited for ${taken.atMs - atMs} ms`]
  })
  const first = new Map(receivers.arrivals.toReversed().map(({ id, atMs }) => [id, atMs]))
  const events = database.rows.stored.flatMap(({ id, event, createdAt }) => {
    const waitedMs = (first.get(id) ?? 0) - (createdAt.getTime() - BEGINNING_MS)
    return waitedMs <= MOST_MS ? [] : [`${event} ${id} waited for ${waitedMs} ms`]
  })
  return [...sends, ...events]
}

import { BEGINNING_MS } from '../machine.ts'
import type { Taken } from '../upstream.ts'
import type { Checker } from './checker.ts'

/** Our choice: numbers are taken and their sessions opened in the first seconds of a run. */
const SETTLED_MS = 10_000
/** Less than the pause between two looks for work that nobody told of (actors/hosting/timers.ts). */
const MOST_MS = 2_500
/** A person is sent a message each so many ms at the least, and single ones first (src/domain/kinds/unofficial.ts). */
const PAIR_MS = 1_000
const MINUTE_MS = 60_000

/** What is accepted and what is told leaves at once; whatever finds forgotten work would come later than this. */
export const nothingWaits: Checker = ({ cluster: { database, upstream, receivers }, accepted, numbers, isCalm }) => {
  if (!isCalm) return []
  const sends = accepted.flatMap(({ numberId, address, messageId, text, atMs, deliverAtMs, batch }) => {
    const { taken: all } = upstream.device(numberId)
    const taken = all.find((one) => one.messageId === messageId)
    const dueMs = Math.max(atMs, deliverAtMs ?? 0)
    const isBefore = (one: Taken) => one.atMs > dueMs && one.atMs < (taken?.atMs ?? 0)
    const before = all.filter((one) => isBefore(one) && (batch !== null || one.to === address)).length
    const paceMs = before * Math.max(PAIR_MS, MINUTE_MS / (batch?.perMinute ?? Infinity))
    const waitedMs = (taken?.atMs ?? 0) - dueMs - paceMs
    return atMs < SETTLED_MS || waitedMs <= MOST_MS ? [] : [`${text} waited for ${waitedMs} ms`]
  })
  const first = new Map(receivers.arrivals.toReversed().map(({ id, atMs }) => [id, atMs]))
  const told = database.rows.stored.filter(({ numberId }) => numbers.includes(numberId))
  const events = told.flatMap(({ id, event, createdAt }) => {
    const waitedMs = (first.get(id) ?? 0) - (createdAt.getTime() - BEGINNING_MS)
    return waitedMs <= MOST_MS ? [] : [`${event} ${id} waited for ${waitedMs} ms`]
  })
  return [...sends, ...events]
}

import { setTimeout as pause } from 'node:timers/promises'
import type { NumberSession } from './number-session.ts'
import type { Sessions } from './sessions.ts'

/** our choice: the part of the time that the hand-overs are spread over; the rest is for the last of them. */
const SHARE = 0.8
/** our choice: most ms between two hand-overs, so that few numbers go at once. */
const LONGEST_MS = 50

/**
 * Ms between the hand-overs of `count` numbers within `drainMs`. Spread, so that those that take them are not met by
 * all logins at once.
 */
export function paceMs(count: number, drainMs: number): number {
  return count === 0 ? 0 : Math.min(LONGEST_MS, (drainMs * SHARE) / count)
}

/** Idle numbers first: one whose gateway has yet to acknowledge something may become idle meanwhile. */
function inOrder(sessions: Iterable<NumberSession>): NumberSession[] {
  const waiting = ({ store }: NumberSession): number => store.events.waiting
  return [...sessions].toSorted((a, b) => waiting(a) - waiting(b))
}

/** Hands all numbers over, one by one, within `drainMs` ([engine-fleet.takeover.2]). */
export async function handOverAll(sessions: Sessions, drainMs: number): Promise<void> {
  sessions.drain()
  const untilMs = performance.now() + drainMs
  const pace = paceMs(sessions.count, drainMs)
  for (const session of inOrder(sessions.all())) {
    const startMs = performance.now()
    if (startMs >= untilMs) return
    await sessions.handOver(session)
    await pause(Math.max(0, pace - (performance.now() - startMs)))
  }
}

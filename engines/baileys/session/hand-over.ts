import type { Clock } from '../../../src/ports/clock.ts'
import { errorFields } from '../process/log.ts'
import type { NumberSession } from './number-session.ts'
import type { Sessions } from './sessions.ts'

/** our choice: the part of the time that the hand-overs are spread over; the rest is for the last of them. */
const SHARE = 0.8
/**
 * our choice: most ms between two hand-overs, so 40 a second: what two engines log in whose 20 logins at a time take
 * half a second each.
 */
const LONGEST_MS = 25
/**
 * our choice: most hand-overs under way. Each waits until the network has closed its socket, up to a second; one after
 * another, 2,000 numbers would take minutes.
 */
const AT_ONCE = 20

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

/**
 * Hands all numbers over ([engine-fleet.takeover.2]): one begins after the other, and one that fails or hangs holds up
 * no other. Resolves after `drainMs` at the latest.
 */
export async function handOverAll(sessions: Sessions, drainMs: number, clock: Clock): Promise<void> {
  sessions.drain()
  const startMs = clock.monotonicMs()
  const isOver = (): boolean => clock.monotonicMs() - startMs >= drainMs
  const over = passed(clock, drainMs)
  const pace = paceMs(sessions.count, drainMs)
  const running = new Set<Promise<void>>()
  for (const [place, session] of inOrder(sessions.all()).entries()) {
    await passed(clock, startMs + place * pace - clock.monotonicMs())
    while (running.size >= AT_ONCE && !isOver()) await Promise.race([over, ...running])
    if (isOver()) return
    const handingOver = handOver(sessions, session).finally(() => running.delete(handingOver))
    running.add(handingOver)
  }
  await Promise.race([over, Promise.all(running)])
}

async function handOver(sessions: Sessions, session: NumberSession): Promise<void> {
  try {
    await sessions.handOver(session)
  } catch (error) {
    session.log.error(errorFields(error), 'a number was not handed over')
  }
}

async function passed(clock: Clock, ms: number): Promise<void> {
  if (ms > 0) await new Promise<void>((resolve) => clock.after(ms, resolve))
}

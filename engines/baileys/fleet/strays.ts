import type { Clock, Timer } from '../../../src/ports/clock.ts'
import type { Log } from '../process/log.ts'
import type { FleetSessions } from './place.ts'

/** our choice, in ms: how long gateways may not have heard of this engine before its strays are given up. */
const UNKNOWN_MS = 30_000
/** our choice, in ms. */
const LOOK_MS = 10_000

export interface StraysParts {
  /** Ms since gateways could last be told of this engine. */
  readonly unknownMs: () => number
  readonly sessions: Pick<FleetSessions, 'all' | 'handOver'>
  readonly clock: Pick<Clock, 'after'>
  readonly log: Log
}

/**
 * Hands over the sessions that no gateway is connected to, for as long as gateways cannot be told of this engine: they
 * would look for the number elsewhere, and be told that it is here. Gives a function that ends it.
 */
export function giveUpStrays({ unknownMs, sessions, clock, log }: StraysParts): () => void {
  let timer: Timer
  async function look(): Promise<void> {
    const strays = unknownMs() < UNKNOWN_MS ? [] : [...sessions.all()].filter(({ outbox }) => !outbox.isAttached)
    if (strays.length > 0) log.warn({ numbers: strays.length }, 'numbers without a gateway are left to other engines')
    for (const stray of strays) if (!stray.outbox.isAttached) await sessions.handOver(stray)
  }
  function next(): void {
    timer = clock.after(LOOK_MS, () => void look().finally(next))
  }
  next()
  return () => timer.cancel()
}

import type { NumberId } from '../src/domain/ids.ts'
import { LEASE_RENEW_MS, LEASE_SAFETY_MS, LEASE_TTL_MS } from '../src/domain/limits.ts'
import type { Clock, Timer } from '../src/ports/clock.ts'
import type { Fence, Leases } from '../src/ports/leases.ts'
import type { Log } from '../src/ports/log.ts'

/** our choice: how often the own deadline of each lease is looked at, well inside LEASE_SAFETY_MS. */
const DEADLINE_CHECK_MS = 1_000

interface Held {
  readonly fence: Fence
  /** Monotonic ms at which the statement that last confirmed the lease was sent. */
  confirmedMs: number
  /** Monotonic ms at which the lease was known to be ours: a renewal sent before it says nothing about it. */
  readonly heldSinceMs: number
}

export interface OwnershipDeps {
  readonly leases: Leases
  readonly clock: Clock
  readonly log: Log
  /** The number is not ours any more: close what it holds, write nothing. */
  lost(numberId: NumberId): void
}

/** The leases this node holds (architecture 6): one renewal for all, and a deadline of its own for each. */
export interface Ownership {
  /** Null while another node holds the number; throws when the database does. */
  acquire(numberId: NumberId): Promise<Fence | null>
  release(numberId: NumberId): Promise<void>
  /** Forgets a lease that was lost. */
  forget(numberId: NumberId): void
  start(): void
  stop(): void
}

/** Creates the holder of leases. It trusts only its own monotonic clock, counted from when a renewal was sent. */
export function createOwnership({ leases, clock, log, lost }: OwnershipDeps): Ownership {
  const held = new Map<NumberId, Held>()
  let timers: Timer[] = []
  let isRunning = false
  let isRenewing = false

  const lose = (numberId: NumberId, why: string) => {
    held.delete(numberId)
    log.warn({ numberId, why }, 'lease lost')
    lost(numberId)
  }

  const renew = async () => {
    if (held.size === 0 || isRenewing) return
    isRenewing = true
    const sentMs = clock.monotonicMs()
    try {
      const kept = new Set(await leases.renew())
      for (const [numberId, lease] of held) {
        if (kept.has(numberId)) lease.confirmedMs = Math.max(lease.confirmedMs, sentMs)
        else if (lease.heldSinceMs < sentMs) lose(numberId, 'taken')
      }
    } catch (error) {
      log.warn({ errorName: error instanceof Error ? error.name : 'unknown' }, 'leases could not be renewed')
    } finally {
      isRenewing = false
    }
  }

  const checkDeadlines = () => {
    const nowMs = clock.monotonicMs()
    for (const [numberId, lease] of held) {
      if (nowMs - lease.confirmedMs >= LEASE_TTL_MS - LEASE_SAFETY_MS) lose(numberId, 'deadline')
    }
  }

  const every = (delayMs: number, run: () => void) => {
    const index = timers.length
    const again = () => {
      if (!isRunning) return
      timers[index] = clock.after(delayMs, () => {
        run()
        again()
      })
    }
    again()
  }

  return {
    async acquire(numberId) {
      const sentMs = clock.monotonicMs()
      const fence = await leases.acquire(numberId)
      if (fence) held.set(numberId, { fence, confirmedMs: sentMs, heldSinceMs: clock.monotonicMs() })
      return fence
    },
    async release(numberId) {
      const lease = held.get(numberId)
      held.delete(numberId)
      if (!lease) return
      await leases.release(lease.fence).catch((error: unknown) => {
        log.warn({ numberId, errorName: error instanceof Error ? error.name : 'unknown' }, 'lease could not be released')
      })
    },
    forget: (numberId) => void held.delete(numberId),
    start() {
      isRunning = true
      every(LEASE_RENEW_MS, () => void renew())
      every(DEADLINE_CHECK_MS, checkDeadlines)
    },
    stop() {
      isRunning = false
      for (const timer of timers) timer.cancel()
      timers = []
    },
  }
}

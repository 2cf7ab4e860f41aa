import type { NumberId } from '../../src/domain/ids.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Holder, Leases } from '../../src/ports/leases.ts'
import type { Owners } from './owners.ts'

/** our choice: a lease that just ended, by the clock of the database, is read this many ms later. */
const AFTER_END_MS = 50

export interface LeaseWatchDeps {
  readonly clock: Clock
  readonly owners: Pick<Owners, 'read'>
  readonly times: Leases['times']
}

/**
 * Watches the lease of a node that was asked something and has not answered. A node that is frozen keeps its
 * connections, so only its lease shows it. The watch reads once a living node must have renewed the lease, and then
 * when it must have ended. A living node that answers slowly costs one statement every few seconds.
 */
export class LeaseWatch {
  /** Resolves when the node no longer holds the number under that token; never while it does. */
  readonly over: Promise<void>
  readonly #deps: LeaseWatchDeps
  readonly #numberId: NumberId
  readonly #holder: Holder
  readonly #isOver = Promise.withResolvers<void>()
  #timer: Timer

  constructor(deps: LeaseWatchDeps, numberId: NumberId, holder: Holder) {
    this.#deps = deps
    this.#numberId = numberId
    this.#holder = holder
    this.over = this.#isOver.promise
    this.#timer = this.#after(deps.times.renewMs)
  }

  /** Stops the watch, because nobody waits any more. */
  stop(): void {
    this.#timer.cancel()
  }

  #after(delayMs: number): Timer {
    return this.#deps.clock.after(delayMs, () => void this.#look())
  }

  async #look(): Promise<void> {
    const { owners, times } = this.#deps
    // A lease that cannot be read says nothing, so the watch goes on.
    const found = await owners.read(this.#numberId).catch(() => this.#holder)
    if (found?.token !== this.#holder.token || found.nodeId !== this.#holder.nodeId) return this.#isOver.resolve()
    this.#timer = this.#after(Math.min(Math.max(found.leftMs, 0) + AFTER_END_MS, times.ttlMs))
  }
}

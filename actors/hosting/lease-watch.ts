import type { NumberId } from '../../src/domain/ids.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Holder, Leases } from '../../src/ports/leases.ts'
import type { Owners } from './owners.ts'

/** our choice: a lease that just ran out, by the clock of the database, is read this much later, ms. */
const AFTER_END_MS = 50

export interface LeaseWatchDeps {
  readonly clock: Clock
  readonly owners: Pick<Owners, 'read'>
  readonly times: Leases['times']
}

/**
 * Watches the lease of a node that was asked something and has not answered: a node that does not run keeps its
 * connections, and nothing but its lease tells. Looks once a living node must have renewed it, and then when it must be
 * over: a slow answer of a living node costs a statement every few seconds.
 */
export class LeaseWatch {
  /** Resolves when the node holds the number no more under that token; never while it does. */
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

  /** Nobody waits any more. */
  stop(): void {
    this.#timer.cancel()
  }

  #after(delayMs: number): Timer {
    return this.#deps.clock.after(delayMs, () => void this.#look())
  }

  async #look(): Promise<void> {
    const { owners, times } = this.#deps
    // What cannot be read says nothing.
    const found = await owners.read(this.#numberId).catch(() => this.#holder)
    if (found?.token !== this.#holder.token || found.nodeId !== this.#holder.nodeId) return this.#isOver.resolve()
    this.#timer = this.#after(Math.min(Math.max(found.leftMs, 0) + AFTER_END_MS, times.ttlMs))
  }
}

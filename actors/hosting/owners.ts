import type { NumberId } from '../../src/domain/ids.ts'
import { SharedWork } from '../../src/domain/shared-work.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Holder, Leases } from '../../src/ports/leases.ts'

/**
 * our choice: who holds a number is remembered this long, ms, unless it turns out to be wrong: a node that is asked
 * looks for itself.
 */
const REMEMBERED_MS = 5_000
/** our choice: so many are remembered; beyond that all are read again. */
const MOST = 10_000

interface Remembered {
  readonly holder: Holder
  readonly untilMs: number
}

/** Which node holds a number, as its lease says: read once for all who ask at that moment, and remembered. */
export class Owners {
  readonly #leases: Pick<Leases, 'ownerOf'>
  readonly #clock: Clock
  readonly #remembered = new Map<NumberId, Remembered>()
  readonly #reading = new SharedWork<Holder | null>()

  constructor(leases: Pick<Leases, 'ownerOf'>, clock: Clock) {
    this.#leases = leases
    this.#clock = clock
  }

  /** Null: nobody. Rejects when the lease cannot be read. */
  of(numberId: NumberId): Promise<Holder | null> {
    const known = this.#remembered.get(numberId)
    if (known && known.untilMs > this.#clock.monotonicMs()) return Promise.resolve(known.holder)
    return this.read(numberId)
  }

  /** The same as the lease says now, whatever is remembered. */
  read(numberId: NumberId): Promise<Holder | null> {
    return this.#reading.join(numberId, () => this.#read(numberId))
  }

  /** What is remembered of the number was wrong, or may be. */
  forget(numberId: NumberId): void {
    this.#remembered.delete(numberId)
  }

  async #read(numberId: NumberId): Promise<Holder | null> {
    const holder = await this.#leases.ownerOf(numberId)
    if (this.#remembered.size >= MOST) this.#remembered.clear()
    if (holder) this.#remembered.set(numberId, { holder, untilMs: this.#clock.monotonicMs() + REMEMBERED_MS })
    else this.#remembered.delete(numberId)
    return holder
  }
}

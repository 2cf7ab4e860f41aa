import { BoundedMemory } from '../../src/domain/bounded-memory.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import { SharedWork } from '../../src/domain/shared-work.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Holder, Leases } from '../../src/ports/leases.ts'

/**
 * our choice: who holds a number is remembered this long, ms, unless it turns out to be wrong: a node that is asked
 * looks for itself.
 */
const REMEMBERED_MS = 5_000
/** our choice: so many are remembered; beyond that the oldest is read again. */
const MOST = 10_000

/** Which node holds a number, as its lease says: read once for all who ask at that moment, and remembered. */
export class Owners {
  readonly #leases: Pick<Leases, 'ownerOf'>
  readonly #remembered: BoundedMemory<Holder>
  readonly #reading = new SharedWork<Holder | null>()

  constructor(leases: Pick<Leases, 'ownerOf'>, clock: Clock) {
    this.#leases = leases
    this.#remembered = new BoundedMemory({ most: MOST }, { ms: REMEMBERED_MS, clock })
  }

  /** Null: nobody. Rejects when the lease cannot be read. */
  of(numberId: NumberId): Promise<Holder | null> {
    const known = this.#remembered.get(numberId)
    return known ? Promise.resolve(known) : this.read(numberId)
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
    if (holder) this.#remembered.set(numberId, holder)
    else this.#remembered.delete(numberId)
    return holder
  }
}

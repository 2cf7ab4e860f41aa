import { BoundedMemory } from '../../src/domain/bounded-memory.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import { SharedWork } from '../../src/domain/shared-work.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Holder, Leases } from '../../src/ports/leases.ts'

/**
 * our choice: the holder of a number is remembered for this many ms, unless it turns out to be wrong. A node that is
 * asked checks for itself.
 */
const REMEMBERED_MS = 5_000
/** our choice: most holders remembered; beyond that the oldest is read again. */
const MOST = 10_000

/**
 * The nodes that hold numbers, by their leases. A lease is read once for all who ask at that moment, and then
 * remembered.
 */
export class Owners {
  readonly #leases: Pick<Leases, 'ownerOf'>
  readonly #remembered: BoundedMemory<Holder>
  readonly #reading = new SharedWork<Holder | null>()

  constructor(leases: Pick<Leases, 'ownerOf'>, clock: Clock) {
    this.#leases = leases
    this.#remembered = new BoundedMemory({ most: MOST }, { ms: REMEMBERED_MS, clock })
  }

  /** The holder; null when there is none. Rejects when the lease cannot be read. */
  of(numberId: NumberId): Promise<Holder | null> {
    const known = this.#remembered.get(numberId)
    return known ? Promise.resolve(known) : this.read(numberId)
  }

  /** The holder as the lease says now, whatever is remembered. */
  read(numberId: NumberId): Promise<Holder | null> {
    return this.#reading.join(numberId, () => this.#read(numberId))
  }

  /** Forgets the holder of the number, because it was wrong or may be. */
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

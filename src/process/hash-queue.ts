import { FairQueue } from '../domain/turns.ts'
import type { Payer } from '../ports/passwords.ts'

export interface HashQueueLimits {
  /** Most hashes computed at once. */
  readonly atOnce: number
  /** Most that wait in either group, the known callers and the others, and most of one address in either. */
  readonly mostWaiting: number
  readonly mostWaitingOfAddress: number
}

/**
 * Those who wait, by address. Each is called with true when it is its turn, with false when there is no room any more.
 */
type Lane = FairQueue<(isTurn: boolean) => void>

/**
 * The order in which passwords are hashed. Known callers go before all others. Within each group the addresses take
 * turns, so that a flood from one address delays only itself. When no more may wait, the address with the most waiting
 * loses its last one to an address with fewer.
 */
export class HashQueue {
  readonly #atOnce: number
  readonly #known: Lane
  readonly #others: Lane
  #running = 0

  constructor({ atOnce, mostWaiting, mostWaitingOfAddress }: HashQueueLimits) {
    this.#atOnce = atOnce
    this.#known = new FairQueue(mostWaitingOfAddress, mostWaiting)
    this.#others = new FairQueue(mostWaitingOfAddress, mostWaiting)
  }

  /** Waits for a turn, which `leave` ends. False when there is no room to wait, or no more. */
  enter({ address, isKnown }: Payer): Promise<boolean> {
    if (this.#running < this.#atOnce) {
      this.#running++
      return Promise.resolve(true)
    }
    const lane = isKnown ? this.#known : this.#others
    return new Promise((settle) => {
      const isIn = lane.push(address, settle) || (makesRoom(lane, address) && lane.push(address, settle))
      if (!isIn) settle(false)
    })
  }

  /** Hands the place to the next one waiting, so that no newcomer takes it. */
  leave(): void {
    const next = this.#known.shift() ?? this.#others.shift()
    if (next) next(true)
    else this.#running--
  }
}

/**
 * Removes the last one waiting of the most crowded address, in favour of an address with fewer; false when none has
 * more.
 */
function makesRoom(lane: Lane, address: string): boolean {
  const longest = Math.max(...[...lane.lines()].map(([, { length }]) => length))
  if (longest <= lane.sizeOf(address) + 1) return false
  const [crowded, line] = [...lane.lines()].find(([, { length }]) => length === longest) ?? []
  const last = line?.at(-1)
  if (crowded === undefined || last === undefined) return false
  lane.remove(crowded, last)
  last(false)
  return true
}

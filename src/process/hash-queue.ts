import { FairQueue } from '../domain/turns.ts'
import type { Payer } from '../ports/passwords.ts'

export interface HashQueueLimits {
  /** Hashes at once. */
  readonly atOnce: number
  /** Waiting, in all of those who are known, in all of the others, and of one address in either. */
  readonly mostWaiting: number
  readonly mostWaitingOfAddress: number
}

/** Those who wait, by address, each to be told that it is its turn; false: that there is no room any more. */
type Lane = FairQueue<(isTurn: boolean) => void>

/**
 * The order in which passwords are hashed. Whoever is known goes before everybody else; among themselves the addresses
 * take turns, so that whoever floods from one waits for itself. Where no more may wait, the address with the most
 * waiting loses its last for one of an address with fewer.
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

  /** Waits for a turn, which `leave` ends; false when there is no room to wait, or no more. */
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

  /** Hands the place on: nobody comes between. */
  leave(): void {
    const next = this.#known.shift() ?? this.#others.shift()
    if (next) next(true)
    else this.#running--
  }
}

/** Takes the last of the most crowded address out for one of an address with fewer; false where none has more. */
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

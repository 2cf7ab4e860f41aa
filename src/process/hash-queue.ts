import type { Payer } from '../ports/passwords.ts'

export interface HashQueueLimits {
  /** Hashes at once. */
  readonly atOnce: number
  /** Waiting, in all of those who are known, in all of the others, and of one address in either. */
  readonly mostWaiting: number
  readonly mostWaitingOfAddress: number
}

interface Waiting {
  /** False: there is no room any more. */
  readonly settle: (isTurn: boolean) => void
}

/** Those who wait, by address; the addresses in the order of their turns. */
type Lane = Map<string, Waiting[]>

/**
 * The order in which passwords are hashed. Whoever is known goes before everybody else; among themselves the addresses
 * take turns, so that whoever floods from one waits for itself. Where no more may wait, the address with the most
 * waiting loses its last for one of an address with fewer.
 */
export class HashQueue {
  readonly #limits: HashQueueLimits
  readonly #known: Lane = new Map()
  readonly #others: Lane = new Map()
  #running = 0

  constructor(limits: HashQueueLimits) {
    this.#limits = limits
  }

  /** Waits for a turn, which `leave` ends; false when there is no room to wait, or no more. */
  enter({ address, isKnown }: Payer): Promise<boolean> {
    if (this.#running < this.#limits.atOnce) {
      this.#running++
      return Promise.resolve(true)
    }
    const lane = isKnown ? this.#known : this.#others
    if (!this.#hasRoom(lane, address)) return Promise.resolve(false)
    return new Promise((settle) => {
      lane.set(address, [...(lane.get(address) ?? []), { settle }])
    })
  }

  /** Hands the place on: nobody comes between. */
  leave(): void {
    const next = takeFirst(this.#known) ?? takeFirst(this.#others)
    if (next) next.settle(true)
    else this.#running--
  }

  #hasRoom(lane: Lane, address: string): boolean {
    const own = lane.get(address)?.length ?? 0
    if (own >= this.#limits.mostWaitingOfAddress) return false
    const lengths = [...lane.values()].map(({ length }) => length)
    if (lengths.reduce((sum, length) => sum + length, 0) < this.#limits.mostWaiting) return true
    const longest = Math.max(...lengths)
    if (longest <= own + 1) return false
    const [crowded = ''] = [...lane].find(([, line]) => line.length === longest) ?? []
    lane.get(crowded)?.pop()?.settle(false)
    return true
  }
}

/** The first of the address whose turn it is, which comes last from then on. */
function takeFirst(lane: Lane): Waiting | null {
  const [turn] = lane
  if (!turn) return null
  const [address, [first, ...rest]] = turn
  lane.delete(address)
  if (rest.length > 0) lane.set(address, rest)
  return first ?? null
}

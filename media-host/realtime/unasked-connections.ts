import { countedAddress } from '../../src/domain/counted-address.ts'

/** How many connections may be open that asked nothing yet, of one address (or network of IPv6) and in all. */
export interface UnaskedBounds {
  readonly mostOfAddress: number
  readonly most: number
}

/**
 * Our choice: who opens a socket asks for it in the packet after the connection, so of honest clients few wait at a time, behind a balancer neither, which
 * makes all of them one address. What a kernel and the library hold of one is some KB.
 */
export const UNASKED: UnaskedBounds = { mostOfAddress: 1_024, most: 4_096 }
/** Our choice: as the servers of Node give at the least for the headers of a request. */
const SILENT_MS = 10_000

const IPV6_BYTES = 16
/** Groups of 16 bits, as an address is written. */
const GROUPS = /.{4}/g
/** RFC 4291 2.5.5.2: behind these stands an IPv4 address. */
const MAPPED = Buffer.from('00000000000000000000ffff', 'hex')

/** What an address is counted by: IPv4 by itself, IPv6 by its /64. `bytes`: 4 or 16. */
export function countedBytes(bytes: ArrayBuffer): string {
  const address = Buffer.from(bytes)
  if (address.length !== IPV6_BYTES) return address.join('.')
  if (address.subarray(0, MAPPED.length).equals(MAPPED)) return address.subarray(MAPPED.length).join('.')
  return countedAddress(address.toString('hex').match(GROUPS)?.join(':') ?? '')
}

/** One that asked nothing yet. */
interface Waiting {
  readonly address: string
  readonly timer: NodeJS.Timeout
  readonly cut: () => void
}

/**
 * The connections that asked nothing yet, oldest first. Each has 10 s. Where there are too many the oldest makes room, so that who asks at once gets in
 * however many say nothing.
 */
export class UnaskedConnections {
  readonly #bounds: UnaskedBounds
  readonly #all = new Set<Waiting>()
  readonly #ofAddress = new Map<string, Set<Waiting>>()

  constructor(bounds: UnaskedBounds) {
    this.#bounds = bounds
  }

  /**
   * A connection begins.
   *
   * @param cut Ends it; not called once it is settled.
   * @returns To be called when it asks, or ends without: it is settled. Idempotent.
   */
  begin(address: string, cut: () => void): () => void {
    const waiting: Waiting = { address, cut, timer: setTimeout(() => this.#cut(waiting), SILENT_MS).unref() }
    this.#all.add(waiting)
    const same = this.#ofAddress.get(address) ?? new Set()
    this.#ofAddress.set(address, same.add(waiting))
    this.#keepTo(this.#bounds.mostOfAddress, same)
    this.#keepTo(this.#bounds.most, this.#all)
    return () => this.#settle(waiting)
  }

  #keepTo(most: number, some: ReadonlySet<Waiting>): void {
    const [oldest] = some.size > most ? some : []
    if (oldest) this.#cut(oldest)
  }

  #cut(waiting: Waiting): void {
    this.#settle(waiting)
    waiting.cut()
  }

  #settle(waiting: Waiting): void {
    clearTimeout(waiting.timer)
    this.#all.delete(waiting)
    const same = this.#ofAddress.get(waiting.address)
    same?.delete(waiting)
    if (same?.size === 0) this.#ofAddress.delete(waiting.address)
  }
}

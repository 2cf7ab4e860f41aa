import { countedAddress } from '../../src/domain/counted-address.ts'
import { Tally } from '../../src/domain/tally.ts'

/** How many connections may be open that asked nothing yet, of one address (or network of IPv6) and in all. */
export interface UnaskedBounds {
  readonly mostOfAddress: number
  readonly most: number
}

/**
 * Our choice: who opens a socket asks for it in the packet after the connection, so of honest clients few wait at a
 * time, behind a balancer neither. The library cuts each after 10 s; what a kernel and the library hold of one is some
 * KB.
 */
export const UNASKED: UnaskedBounds = { mostOfAddress: 1_024, most: 4_096 }

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

/**
 * Counts the connections that asked nothing yet. Those of an address are as true as what is known of it: one that is
 * reset at the moment it asks has none any more. What that leaves is forgotten whenever no connection is open; those in
 * all are told of by themselves.
 */
export class UnaskedConnections {
  readonly #bounds: UnaskedBounds
  readonly #ofAddress = new Tally<string>()
  #open = 0

  constructor(bounds: UnaskedBounds) {
    this.#bounds = bounds
  }

  /** A connection begins. False: there are too many already, and it is to be ended. */
  begin(address: string): boolean {
    if (++this.#open > this.#bounds.most || this.#ofAddress.of(address) >= this.#bounds.mostOfAddress) return false
    this.#ofAddress.add(address, 1)
    return true
  }

  /** One that was let begin asks, or ends without. */
  settle(address: string): void {
    this.#ofAddress.add(address, -1)
  }

  /** A connection ends, or becomes a socket. */
  end(): void {
    if (--this.#open === 0) this.#ofAddress.clear()
  }
}

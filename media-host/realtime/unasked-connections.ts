/** How many connections may be open that asked nothing yet, of one address (or network of IPv6) and in all. */
export interface UnaskedBounds {
  readonly mostOfAddress: number
  readonly most: number
}

/**
 * Our choice: who opens a socket asks for it in the packet after the connection, so of honest clients few wait at a time, behind a balancer neither.
 * The library cuts each after 10 s; what a kernel and the library hold of one is some KB.
 */
export const UNASKED: UnaskedBounds = { mostOfAddress: 1_024, most: 4_096 }

const IPV6_BYTES = 16
/** RFC 4291 2.5.4: the first 64 bits name a network. */
const NETWORK_BYTES = 8
/** RFC 4291 2.5.5.2: behind these stands an IPv4 address. */
const MAPPED = Buffer.from('00000000000000000000ffff', 'hex')

/** What an address is counted by: IPv4 by itself, IPv6 by its /64. `bytes`: 4 or 16. */
export function countedBytes(bytes: ArrayBuffer): string {
  const address = Buffer.from(bytes)
  if (address.length !== IPV6_BYTES) return address.toString('hex')
  return (address.subarray(0, MAPPED.length).equals(MAPPED) ? address.subarray(MAPPED.length) : address.subarray(0, NETWORK_BYTES)).toString('hex')
}

/**
 * Counts the connections that asked nothing yet. Those of an address are as true as what is known of it: one that is reset at the moment it asks
 * has none any more. What that leaves is forgotten whenever no connection is open; those in all are told of by themselves.
 */
export class UnaskedConnections {
  readonly #bounds: UnaskedBounds
  readonly #ofAddress = new Map<string, number>()
  #open = 0

  constructor(bounds: UnaskedBounds) {
    this.#bounds = bounds
  }

  /** A connection begins. False: there are too many already, and it is to be ended. */
  begin(address: string): boolean {
    const ofAddress = this.#ofAddress.get(address) ?? 0
    if (++this.#open > this.#bounds.most || ofAddress >= this.#bounds.mostOfAddress) return false
    this.#ofAddress.set(address, ofAddress + 1)
    return true
  }

  /** One that was let begin asks, or ends without. */
  settle(address: string): void {
    const left = (this.#ofAddress.get(address) ?? 0) - 1
    if (left > 0) this.#ofAddress.set(address, left)
    else this.#ofAddress.delete(address)
  }

  /** A connection ends, or becomes a socket. */
  end(): void {
    if (--this.#open === 0) this.#ofAddress.clear()
  }
}

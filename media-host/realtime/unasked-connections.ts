import { countedAddress } from '../../src/domain/counted-address.ts'
import { Tally } from '../../src/domain/tally.ts'

/** Most open connections that have asked nothing yet: of one address (or IPv6 network), and in total. */
export interface UnaskedBounds {
  readonly mostOfAddress: number
  readonly most: number
}

/**
 * Our choice: a client asks for its socket in the packet after the connection, so few honest ones wait at a time, even
 * behind a balancer. The library cuts each after 10 s; kernel and library hold some KB for each.
 */
export const UNASKED: UnaskedBounds = { mostOfAddress: 1_024, most: 4_096 }

const IPV6_BYTES = 16
/** Groups of 16 bits, as IPv6 addresses are written. */
const GROUPS = /.{4}/g
/** RFC 4291 section 2.5.5.2: an IPv4 address follows this prefix. */
const MAPPED = Buffer.from('00000000000000000000ffff', 'hex')

/** The address that a connection is counted for: IPv4 itself, IPv6 by its /64. `bytes` has 4 or 16. */
export function countedBytes(bytes: ArrayBuffer): string {
  const address = Buffer.from(bytes)
  if (address.length !== IPV6_BYTES) return address.join('.')
  if (address.subarray(0, MAPPED.length).equals(MAPPED)) return address.subarray(MAPPED.length).join('.')
  return countedAddress(address.toString('hex').match(GROUPS)?.join(':') ?? '')
}

/**
 * Counts the connections that have asked nothing yet. The counts by address are not exact, because a connection that is
 * reset just as it asks has no address any more. They are cleared whenever no connection is open. The total has notices
 * of its own and is exact.
 */
export class UnaskedConnections {
  readonly #bounds: UnaskedBounds
  readonly #ofAddress = new Tally<string>()
  #open = 0

  constructor(bounds: UnaskedBounds) {
    this.#bounds = bounds
  }

  /** Counts a new connection. False when there are too many already, so that it must be ended. */
  begin(address: string): boolean {
    if (++this.#open > this.#bounds.most || this.#ofAddress.of(address) >= this.#bounds.mostOfAddress) return false
    this.#ofAddress.add(address, 1)
    return true
  }

  /** Called when a counted connection asks, or ends without asking. */
  settle(address: string): void {
    this.#ofAddress.add(address, -1)
  }

  /** Called when a connection ends or becomes a socket. */
  end(): void {
    if (--this.#open === 0) this.#ofAddress.clear()
  }
}

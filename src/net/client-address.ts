import { addressOf, cidrOf, contains, type Address } from './address-guard.ts'

/** Names the client of a connection, for limits by address: equal addresses give equal texts. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string

/**
 * Makes such a function from the entries of TRUSTED_PROXIES. It reads `x-forwarded-for` from the right end, where the
 * nearest proxy wrote, for as long as the proxy that named the next hop is trusted. What a client wrote itself stands
 * further left and is never reached. An entry that is no address ends the walk at the proxy that passed it on.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = trustOf(trustedProxies)
  const behind = (proxy: Address, forwardedFor: string): string => {
    const hops = forwardedFor.split(',')
    for (let client = proxy; ;) {
      const named = addressOf(withoutPort(hops.pop()?.trim() ?? ''))
      if (!named) return client.toString()
      client = named
      if (!isTrusted(client)) return client.toString()
    }
  }
  const peers = new Map<string, Peer>()
  return (peer = '', forwardedFor = '') => {
    let known = peers.get(peer)
    if (!known) {
      known = peerOf(peer, isTrusted)
      if (peers.size >= REMEMBERED) peers.clear()
      peers.set(peer, known)
    }
    return known.proxy === null ? known.text : behind(known.proxy, forwardedFor)
  }
}

/** Makes a test for the other end of a connection: true for one of TRUSTED_PROXIES, which carry requests of many. */
export function createIsProxy(trustedProxies: readonly string[]): (peer: string) => boolean {
  const isTrusted = trustOf(trustedProxies)
  return (peer) => {
    const address = addressOf(peer)
    return address !== null && isTrusted(address)
  }
}

function trustOf(trustedProxies: readonly string[]): (address: Address) => boolean {
  const cidrs = trustedProxies.map((entry) => {
    const cidr = cidrOf(entry)
    if (!cidr) throw new RangeError(`"${entry}" is neither an address nor a CIDR`)
    return cidr
  })
  return (address) => cidrs.some((cidr) => contains(cidr, address))
}

/**
 * Our choice: peers that are remembered. A connection has the same peer for every request, and reading an address costs
 * as much as a limit.
 */
const REMEMBERED = 1_000

/** The other end of a connection. */
interface Peer {
  readonly text: string
  /** The peer's address when it is trusted to name the client; null when it is not. */
  readonly proxy: Address | null
}

function peerOf(peer: string, isTrusted: (address: Address) => boolean): Peer {
  const address = addressOf(peer)
  return address
    ? { text: address.toString(), proxy: isTrusted(address) ? address : null }
    : { text: peer, proxy: null }
}

/** Strips a port, which some proxies write too: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? entry.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}

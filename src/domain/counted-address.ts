/** Groups of 16 bits that name a network in an IPv6 address: the first 64 bits (RFC 4291 2.5.4). */
const NETWORK_GROUPS = 4
const GROUPS = 8

/**
 * Gives what limits by address count: an IPv4 address itself, the /64 of an IPv6 address, because one subscriber is
 * given at least so many addresses (RFC 6177). Takes addresses as they are written canonically (RFC 5952); other texts
 * come back as they are.
 */
export function countedAddress(address: string): string {
  if (!address.includes(':')) return address
  const [head = [], tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const groups =
    tail === undefined
      ? [...head]
      : [...head, ...Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0'), ...tail]
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
}

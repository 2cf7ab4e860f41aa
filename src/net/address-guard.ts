import ipaddr from 'ipaddr.js'

export type Address = ReturnType<typeof ipaddr.process>
export type Cidr = readonly [Address, number]

/** Gives the host of a URL as it is looked up: an IPv6 address without its brackets (RFC 3986 3.2.2). */
export function bareHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Decides which addresses the service may connect to on behalf of a caller. */
export interface AddressGuard {
  /** True for public unicast addresses, and for those that the operator allowed. `host` is the name that led to it. */
  isAllowed(address: string, host?: string): boolean
  /** True for a host, by name or by address, that the operator named to be let through. */
  isLifted(host: string): boolean
}

/**
 * Global unicast IPv6 (RFC 4291 2.4, RFC 4147): no other address is routed on the Internet. The ranges of the library
 * alone are not enough: it takes `::7f00:1`, the normalised form of `::127.0.0.1`, for unicast (measured).
 */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3')

/**
 * Makes the guard from the entries of EGRESS_ALLOW ([configuration.variables.17]): addresses, CIDRs and host names.
 * Throws a RangeError for any other entry, which `egressEntryFault` finds beforehand.
 */
export function createAddressGuard(egressAllow: readonly string[]): AddressGuard {
  const cidrs: Cidr[] = []
  const hosts = new Set<string>()
  for (const entry of egressAllow.map((text) => text.trim()).filter((text) => text !== '')) {
    const fault = egressEntryFault(entry)
    if (fault !== null) throw new RangeError(fault)
    const cidr = cidrOf(entry)
    if (cidr) cidrs.push(cidr)
    else hosts.add(canonicalHost(entry))
  }
  const isInRange = (address: Address) => cidrs.some((cidr) => contains(cidr, address))
  return {
    isAllowed(text, host) {
      const address = addressOf(text)
      if (address === null) return false
      if (isPublic(address)) return true
      return (host !== undefined && hosts.has(canonicalHost(host))) || isInRange(address)
    },
    isLifted(host) {
      const address = addressOf(host)
      return hosts.has(canonicalHost(host)) || (address !== null && isInRange(address))
    },
  }
}

/** Makes a guard whose entries may change while it is used; `entries` gives the same array while they are the same. */
export function changingGuard(entries: () => readonly string[]): AddressGuard {
  let latest = entries()
  let guard = createAddressGuard(latest)
  const now = (): AddressGuard => {
    if (entries() === latest) return guard
    latest = entries()
    guard = createAddressGuard(latest)
    return guard
  }
  return {
    isAllowed: (address, host) => now().isAllowed(address, host),
    isLifted: (host) => now().isLifted(host),
  }
}

/** Says what is wrong with one entry of EGRESS_ALLOW, or null when it is an address, a CIDR or a host name. */
export function egressEntryFault(entry: string): string | null {
  const text = entry.trim()
  if (cidrOf(text) !== null) return null
  // A label that is only digits would be an address that failed to parse, such as 10.0.0/8 or 300.1.1.1.
  const isName =
    /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*\.?$/i.test(text)
    && !/(^|\.)\d+\.?$/.test(text)
  return isName ? null : `"${text}" is neither an address, a CIDR nor a host name`
}

/** Gives a host name in lower case, without the dot of a fully qualified name. */
function canonicalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

/** True for an IPv4 or IPv6 literal as a URL or a socket shows it, without brackets. */
export function isAddress(text: string): boolean {
  return addressOf(text) !== null
}

/** Decides by class, never by a list of bad ranges: only plain public unicast is allowed. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST_V6 as [ipaddr.IPv6, number])
}

/**
 * Reads an address; IPv4 mapped into IPv6 (`::ffff:a.b.c.d`) becomes plain IPv4. Null for anything else, the shorthands
 * of IPv4 included.
 */
export function addressOf(text: string): Address | null {
  if (!text.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null
  return ipaddr.isValid(text) ? ipaddr.process(text) : null
}

/** Reads an address or a CIDR; null for anything else. */
export function cidrOf(text: string): Cidr | null {
  const address = addressOf(text)
  if (address) return [address, address instanceof ipaddr.IPv4 ? 32 : 128]
  if (!ipaddr.isValidCIDR(text) || !/^(\d+\.\d+\.\d+\.\d+|.*:.*)\/\d+$/.test(text)) return null
  const [range, bits] = ipaddr.parseCIDR(text)
  return range instanceof ipaddr.IPv6 && range.isIPv4MappedAddress() && bits >= 96
    ? [range.toIPv4Address(), bits - 96]
    : [range, bits]
}

/** True when the address is in the range. */
export function contains([range, bits]: Cidr, address: Address): boolean {
  if (range instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(range, bits)
  return address instanceof ipaddr.IPv6 && address.match(range, bits)
}

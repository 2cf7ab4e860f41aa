const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/

/**
 * True when only this machine reaches a host (RFC 6761, 6.3; RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). Takes a host as a URL
 * parser writes it, or an address.
 */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

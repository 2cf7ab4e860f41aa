import { isLoopback } from './loopback.ts'

/**
 * Whether a public base URL has its origin in common with an embeddable page, which a host page frames and scripts of
 * tenants talk to (contract 16: told at start). Public: https, or a host that others may reach.
 */
export function sharesPublicOrigin(baseUrl: string, embedUrls: readonly string[]): boolean {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isPublic = protocol === 'https:' || !isLoopback(hostname)
  return isPublic && embedUrls.some((url) => new URL(url).origin === origin)
}

import { isLoopback } from './loopback.ts'

/**
 * True when a public base URL shares its origin with an embeddable page, which a host page frames and scripts of
 * tenants talk to ([configuration.start.3]). Public means https, or a host that others may reach.
 */
export function sharesPublicOrigin(baseUrl: string, embedUrls: readonly string[]): boolean {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isPublic = protocol === 'https:' || !isLoopback(hostname)
  return isPublic && embedUrls.some((url) => new URL(url).origin === origin)
}

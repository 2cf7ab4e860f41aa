import type { IncomingHttpHeaders } from 'node:http'

/**
 * What to tell a person whose page of ours was opened at another address than BASE_URL, such as that of the machine or
 * 0.0.0.0; null when the page is not ours, or there is none. The browser names the page's origin, and the host that it
 * asked.
 */
export function otherAddress({ origin, host }: IncomingHttpHeaders, own: string): string | null {
  const page = origin === undefined ? null : URL.parse(origin)
  if (page === null || page.host !== host || page.origin === own) return null
  return `This page was opened at ${page.origin}, and the service is reached at ${own}: open ${own}, or set BASE_URL to ${page.origin}`
}

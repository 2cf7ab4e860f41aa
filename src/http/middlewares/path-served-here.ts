import { RefusalError, refuse } from '../../domain/errors.ts'
import { isBelow } from '../request/below.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'

/** All that the hosts of embeddable pages serve (contract 16): the pages, and what they load and ask. */
const OF_EMBEDS = [
  '/chat',
  '/connect',
  '/assets',
  '/branding/logos',
  '/media',
  '/api/public',
  '/v1/remote-pairing',
  '/v1/connect',
  '/health',
]
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/**
 * Keeps the rest of the service off hosts that are there for embeddable pages alone, so that what goes wrong in such a
 * page has no origin in common with the API's documents and the dashboard. Where an embed URL has the host of the base
 * URL nothing is kept off.
 */
export function pathServedHere(baseUrl: string, embedUrls: readonly string[]): HttpMiddleware {
  const isThere = isEmbedHost(baseUrl, embedUrls)
  return (ctx, next) => {
    if (isThere(ctx) && !isOfEmbeds(ctx.path)) {
      throw new RefusalError(refuse('ROUTE_NOT_FOUND', 'No such route'))
    }
    return next()
  }
}

/** Whether a request names a host that is there for embeddable pages alone. */
export function isEmbedHost(baseUrl: string, embedUrls: readonly string[]): (ctx: HttpContext) => boolean {
  const ownHosts = hostsOf(baseUrl)
  const embedHosts = new Set(embedUrls.flatMap(hostsOf).filter((host) => !ownHosts.includes(host)))
  return (ctx) => embedHosts.size > 0 && embedHosts.has(hostAsNamed(ctx.get('host')))
}

function isOfEmbeds(path: string): boolean {
  return OF_EMBEDS.some((base) => isBelow(path, base))
}

/** A host as the header may write it: without its port where that is the usual one, and with it. */
function hostsOf(url: string): string[] {
  const { host, hostname, port, protocol } = new URL(url)
  return port === '' ? [host, `${hostname}:${DEFAULT_PORTS[protocol]}`] : [host]
}

/** A name is the same in capitals, and with the dot of the root behind it. */
function hostAsNamed(header: string): string {
  return header.toLowerCase().replace(/\.(?=:\d+$|$)/, '')
}

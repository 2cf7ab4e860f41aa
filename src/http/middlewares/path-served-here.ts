import { RefusalError, refuse } from '../../domain/errors.ts'
import { isBelow } from '../request/below.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'

/** What the hosts of embeddable pages serve ([configuration.hosts.1]): the pages, and what they load and ask. */
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
 * Keeps the rest of the service off hosts that are there for embeddable pages alone, so that a compromised page does
 * not share its origin with the API's documents and the dashboard. Where an embed URL has the host of the base URL
 * nothing is kept off.
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

/**
 * The forms in which a `host` header may name the host of a URL: with its port, and without where that is the default
 * one.
 */
function hostsOf(url: string): string[] {
  const { host, hostname, port, protocol } = new URL(url)
  return port === '' ? [host, `${hostname}:${DEFAULT_PORTS[protocol]}`] : [host]
}

/** A host in the form that it is compared in: lower case, without the dot of the root at the end of its name. */
function hostAsNamed(header: string): string {
  return header.toLowerCase().replace(/\.(?=:\d+$|$)/, '')
}

import { hostname } from 'node:os'
import { isLoopback } from '../domain/loopback.ts'

/** A socket as its program has bound it. */
export interface BoundSocket {
  readonly host: string
  readonly port: number
  /** The path at which it answers, with its slash; empty for none. */
  readonly path: string
}

/**
 * The address under which gateways reach a socket: the configured one, whose {port} is the bound port, or the name of
 * this machine. A socket bound to loopback is reachable only from this machine, and only by that address.
 */
export function advertisedUrl(configured: string | null, { host, port, path }: BoundSocket): string {
  const url = configured ?? `ws://${isLoopback(host) ? inUrl(host) : hostname()}:{port}${path}`
  return url.replaceAll('{port}', String(port))
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

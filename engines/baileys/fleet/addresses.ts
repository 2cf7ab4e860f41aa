import { advertisedUrl } from '../../../src/register/advertised-url.ts'
import type { Config } from '../process/config.ts'

/** Where gateways reach an engine. */
export interface Addresses {
  /** http: or https: base of received media. */
  readonly media: string
  /** ws: or wss: base of the bridge, of the same origin, so that media are fetched with the bridge's bearer. */
  readonly bridge: string
}

/**
 * The addresses of an engine that listens on `port`: below ENGINE_URL where it is set. Without it, one of a fleet goes
 * by the name of its machine (loopback where it listens there), one alone by its own address.
 */
export function addressesOf({ publicUrl, fleet, host }: Config, port: number): Addresses {
  // An engine is one process, so that it is its own worker 0.
  const configured = publicUrl?.replaceAll('{worker}', '0').replace(/^http/, 'ws') ?? null
  const alone = fleet === null ? `ws://${hostName(host)}:{port}` : null
  const bridge = advertisedUrl(configured ?? alone, { host, port, path: '' })
  return { bridge, media: bridge.replace(/^ws/, 'http') }
}

/** A host as it is written in a URL. An engine that listens on every address is reached on this machine. */
function hostName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

import type { Config } from '../config.ts'
import { bridgeTokenOf } from '../register/bridge-token.ts'
import type { Secrets } from '../storage/engine/secrets.ts'
import { sandboxToken, startSandboxChild } from './children.ts'
import type { Core } from './core.ts'
import type { Listener } from './open-listener.ts'

/** [configuration.variables.14]: the address of the official platform without a configured one. */
export const OFFICIAL_URL = 'https://graph.facebook.com/v24.0'

/** Where the engines of QR-paired numbers are: at one address, in the register of a Redis, or nowhere. */
export type Bridge =
  | { readonly kind: 'one'; readonly url: string }
  | { readonly kind: 'register'; readonly redisUrl: string }
  | { readonly kind: 'none' }

/** The addresses of the upstreams. */
export interface Upstreams {
  readonly bridge: Bridge
  /** What engines are shown; null for nothing. */
  readonly bridgeToken: string | null
  /** Base of the official API with its version segment ([configuration.variables.14]). */
  readonly officialUrl: string
  /** Null when the sandbox is off. */
  readonly sandboxPort: number | null
}

/** Address of the page that shows, on this machine, what the sandbox can do. */
export function sandboxPageUrl(sandboxPort: number): string {
  return `http://localhost:${sandboxPort}/control`
}

/** Starts the sandbox when it is on, and answers the addresses of the upstreams. */
export async function openUpstreams(
  core: Core,
  { internalSecret, baseUrl }: Pick<Secrets, 'internalSecret'> & Pick<Listener, 'baseUrl'>,
): Promise<Upstreams> {
  const { config, closing } = core
  if (!config.isSandboxOn) {
    const bridge = bridgeOf(config, null)
    return {
      bridge,
      bridgeToken: tokenOf(config, bridge, internalSecret),
      officialUrl: config.officialApiUrl ?? OFFICIAL_URL,
      sandboxPort: null,
    }
  }
  const child = await startSandboxChild(core, internalSecret, baseUrl)
  closing.add('sandbox', () => child.stop())
  const sandboxPort = Number(child.listening['port'])
  const bridge = bridgeOf(config, `ws://127.0.0.1:${sandboxPort}/devices`)
  return {
    bridge,
    bridgeToken: tokenOf(config, bridge, internalSecret) ?? sandboxToken(config, internalSecret),
    officialUrl: config.officialApiUrl ?? `http://127.0.0.1:${sandboxPort}/official/v24.0`,
    sandboxPort,
  }
}

/** [configuration.variables.15]; `sandboxUrl` is null when the sandbox is off. */
function bridgeOf({ deviceBridge, redisUrl }: Config, sandboxUrl: string | null): Bridge {
  const url = deviceBridge === 'register' ? null : (deviceBridge ?? sandboxUrl)
  if (url !== null) return { kind: 'one', url }
  return redisUrl === null ? { kind: 'none' } : { kind: 'register', redisUrl }
}

/** The token that is configured, or the one that the engines of a fleet derive as well. */
function tokenOf({ deviceBridgeToken }: Config, { kind }: Bridge, internalSecret: string): string | null {
  return deviceBridgeToken ?? (kind === 'register' ? bridgeTokenOf(internalSecret) : null)
}

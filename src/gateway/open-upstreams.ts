import type { Secrets } from '../storage/engine/secrets.ts'
import { sandboxToken, startSandboxChild } from './children.ts'
import type { Core } from './core.ts'
import type { Listener } from './open-listener.ts'

/** [configuration.variables.14]: the address of the official platform without a configured one. */
export const OFFICIAL_URL = 'https://graph.facebook.com/v24.0'

/** The addresses of the upstreams. */
export interface Upstreams {
  /** Null when there is no engine for QR-paired numbers. */
  readonly bridgeUrl: string | null
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
    return {
      bridgeUrl: config.deviceBridgeUrl,
      bridgeToken: config.deviceBridgeToken,
      officialUrl: config.officialApiUrl ?? OFFICIAL_URL,
      sandboxPort: null,
    }
  }
  const child = await startSandboxChild(core, internalSecret, baseUrl)
  closing.add('sandbox', () => child.stop())
  const sandboxPort = Number(child.listening['port'])
  return {
    bridgeUrl: config.deviceBridgeUrl ?? `ws://127.0.0.1:${sandboxPort}/devices`,
    bridgeToken: sandboxToken(config, internalSecret),
    officialUrl: config.officialApiUrl ?? `http://127.0.0.1:${sandboxPort}/official/v24.0`,
    sandboxPort,
  }
}

import type { Secrets } from '../storage/engine/secrets.ts'
import { sandboxToken, startSandboxChild } from './children.ts'
import type { Core } from './core.ts'

/** contract 1: the official platform unless told otherwise. */
export const OFFICIAL_URL = 'https://graph.facebook.com/v24.0'

/** Where the upstreams listen. */
export interface Upstreams {
  /** Null without an engine for QR-paired numbers. */
  readonly bridgeUrl: string | null
  readonly bridgeToken: string | null
  /** With the version segment (contract 1, OFFICIAL_API_URL). */
  readonly officialUrl: string
  /** Null when the sandbox is off. */
  readonly sandboxPort: number | null
}

/** Where a person of this machine finds what the sandbox can do. */
export function sandboxPageUrl(sandboxPort: number): string {
  return `http://localhost:${sandboxPort}/control`
}

/** Starts the sandbox when it is on, and says where the upstreams are. */
export async function openUpstreams(
  core: Core,
  { internalSecret }: Pick<Secrets, 'internalSecret'>,
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
  const child = await startSandboxChild(core, internalSecret)
  closing.add('sandbox', () => child.stop())
  const sandboxPort = Number(child.listening['port'])
  return {
    bridgeUrl: config.deviceBridgeUrl ?? `ws://127.0.0.1:${sandboxPort}/devices`,
    bridgeToken: sandboxToken(config, internalSecret),
    officialUrl: config.officialApiUrl ?? `http://127.0.0.1:${sandboxPort}/official/v24.0`,
    sandboxPort,
  }
}

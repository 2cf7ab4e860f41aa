import { createUpstreamFetch } from '../../net/upstream-fetch.ts'
import type { OfficialPlatform } from '../../ports/official-platform.ts'
import type { ProviderDriver } from '../../ports/provider.ts'
import { createOfficialDriver } from './driver.ts'
import type { OfficialDriverOptions } from './driver.ts'
import { createGraph } from './graph.ts'
import type { GraphOptions } from './graph.ts'
import { createOfficialPlatform } from './platform.ts'

export interface Official {
  readonly driver: ProviderDriver
  readonly platform: OfficialPlatform
  /** Ends all requests and connections. Idempotent. */
  close(): Promise<void>
}

export type OfficialOptions = Omit<GraphOptions, 'fetch'> & Omit<OfficialDriverOptions, 'graph'>

/** Makes both halves of the official platform over one client, so that they share its limits and what it knows of tokens. */
export function createOfficial(options: OfficialOptions): Official {
  const fetch = createUpstreamFetch({ clock: options.clock })
  const graph = createGraph({ ...options, fetch })
  return {
    driver: createOfficialDriver({ graph, clock: options.clock, ...(options.onSettled ? { onSettled: options.onSettled } : {}) }),
    platform: createOfficialPlatform(graph),
    close: () => fetch.close(),
  }
}

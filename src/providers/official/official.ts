import { createUpstreamFetch } from '../../net/upstream-fetch.ts'
import type { OfficialOf } from '../../ports/official/number.ts'
import type { AdsOf, PageOf } from '../../ports/official/pages.ts'
import type { ProviderDriver } from '../../ports/provider.ts'
import { createGraph } from './client/graph.ts'
import type { GraphOptions } from './client/graph.ts'
import { createOfficialDriver } from './driver.ts'
import type { OfficialDriverOptions } from './driver.ts'
import { adsOps } from './ops/ads.ts'
import { numberOps } from './ops/number.ts'
import { pageOps } from './ops/pages.ts'

export interface Official {
  readonly driver: ProviderDriver
  readonly officialOf: OfficialOf
  readonly pageOf: PageOf
  readonly adsOf: AdsOf
  /** Ends all requests and connections. Idempotent. */
  close(): Promise<void>
}

export type OfficialOptions = Omit<GraphOptions, 'fetch'> & Omit<OfficialDriverOptions, 'graph'>

/**
 * Makes all parts of the official platform over one client, so that they share its limits and its knowledge of tokens.
 */
export function createOfficial(options: OfficialOptions): Official {
  const fetch = createUpstreamFetch({ clock: options.clock })
  const graph = createGraph({ ...options, fetch })
  return {
    driver: createOfficialDriver({
      graph,
      clock: options.clock,
      ...(options.onSettled ? { onSettled: options.onSettled } : {}),
      ...(options.marketing ? { marketing: options.marketing } : {}),
    }),
    officialOf: (credentials) => numberOps(graph, credentials),
    pageOf: (credentials) => pageOps(graph, credentials),
    adsOf: (credentials) => adsOps(graph, credentials),
    close: () => fetch.close(),
  }
}

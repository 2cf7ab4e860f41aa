import { createEndpoints } from '../commands/flow-endpoints/flow-endpoints.ts'
import type { Config } from '../config.ts'
import { createGuardedFetch } from '../net/guarded-fetch.ts'
import { urlCheckOf } from '../net/url-check.ts'
import { createMetrics } from '../process/metrics.ts'
import { createExchangeOpener, makeFlowKeyPair } from '../providers/official/flow/exchange-crypto.ts'
import { isSignedBy } from '../providers/official/inbound/signature.ts'
import { createOfficial } from '../providers/official/official.ts'
import { createFlowEndpoints } from '../webhooks/flow-endpoint.ts'
import { flowDesk, type FlowDesk } from './flow-desk.ts'
import { OFFICIAL_URL } from './open-upstreams.ts'
import type { Beside } from './without-gateway.ts'

/** Runs work on the desk of Flows without a gateway: this process asks upstream. */
export async function atFlowDesk<T>(
  config: Config,
  { stores, log, clock }: Beside,
  work: (desk: FlowDesk) => Promise<T>,
): Promise<T> {
  const official = createOfficial({ apiUrl: officialUrlOf(config), clock, log, metrics: createMetrics() })
  const fetchUrl = createGuardedFetch({ egressAllow: config.egressAllow, clock })
  try {
    const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`
    return await work(
      flowDesk(
        createEndpoints({
          ...stores,
          officialOf: official.officialOf,
          makeKeyPair: makeFlowKeyPair,
          checkUrl: urlCheckOf(fetchUrl),
          isSigned: isSignedBy,
          openExchange: createExchangeOpener(),
          askEndpoint: createFlowEndpoints({ fetchUrl, clock }),
          baseUrl,
          log,
        }),
      ),
    )
  } finally {
    await Promise.all([official.close(), fetchUrl.close()])
  }
}

/**
 * The address of upstream. With the sandbox on, that is the sandbox of a gateway which runs elsewhere, on the port that
 * the configuration names.
 */
function officialUrlOf({ officialApiUrl, isSandboxOn, sandbox: { host, port } }: Config): string {
  return officialApiUrl ?? (isSandboxOn ? `http://${host}:${port}/official/v24.0` : OFFICIAL_URL)
}

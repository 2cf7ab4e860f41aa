import { LocalRateLimiter } from '../cluster/local.ts'
import { createKnownBrowsers } from '../http/request/known-browsers.ts'
import { createClientAddress } from '../net/client-address.ts'
import type { Secrets } from '../storage/engine/secrets.ts'
import type { Core } from './core.ts'

/** Makes what the REST layer recognises clients by, and the limiter of this node. */
export function restDoors(
  { config, clock }: Core,
  baseUrl: string,
  { internalSecret }: Pick<Secrets, 'internalSecret'>,
) {
  return {
    nodeLimiter: new LocalRateLimiter(clock),
    knownBrowsers: createKnownBrowsers({ baseUrl, secret: internalSecret, clock }),
    clientAddress: createClientAddress(config.trustedProxies),
  }
}

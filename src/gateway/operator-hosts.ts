import { bareHost } from '../net/address-guard.ts'
import type { OriginBearer } from '../net/guarded-fetch.ts'
import { httpOriginOf } from '../net/http-origin.ts'

/** What the engine itself is shown when its media are fetched (contract 21), and nobody else. */
export function bearerOf(bridgeUrl: string | null, token: string | null): OriginBearer | null {
  return bridgeUrl === null || token === null ? null : { origin: httpOriginOf(bridgeUrl), token }
}

/** The host of an address that the operator named, as EGRESS_ALLOW names hosts; none without one. */
export function hostOf(url: string | null): string[] {
  // Brackets are of URLs; the guard knows addresses without them.
  return url === null ? [] : [bareHost(new URL(url))]
}

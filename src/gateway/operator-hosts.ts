import { bareHost } from '../net/address-guard.ts'
import type { OriginBearer } from '../net/guarded-fetch.ts'
import { httpOriginOf } from '../net/http-origin.ts'

/**
 * The bearer token that the engine's origin alone is shown when its media are fetched ([engines.baileys-duties.8]).
 * Null without an engine or a token.
 */
export function bearerOf(bridgeUrl: string | null, token: string | null): OriginBearer | null {
  return bridgeUrl === null || token === null ? null : { origin: httpOriginOf(bridgeUrl), token }
}

/** The host of an address that the operator named, in the form of EGRESS_ALLOW; empty without an address. */
export function hostOf(url: string | null): string[] {
  // The brackets belong to the URL; the guard knows addresses without them.
  return url === null ? [] : [bareHost(new URL(url))]
}

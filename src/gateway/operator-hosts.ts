import { egressEntryFault, bareHost } from '../net/address-guard.ts'
import type { BearerOf } from '../net/guarded-fetch.ts'
import { httpOriginOf } from '../net/http-origin.ts'

/**
 * The bearer token that the origins of the engines alone are shown when their media are fetched
 * ([engines.baileys-duties.8]); which those are is asked at each hop. Nobody is shown one without a token.
 */
export function bearerOf(engineUrls: () => readonly string[], token: string | null): BearerOf {
  return (origin) => (engineUrls().some((url) => httpOriginOf(url) === origin) ? token : null)
}

/** The hosts of addresses that the operator named, in the form of EGRESS_ALLOW. */
export function hostsOf(urls: readonly string[]): string[] {
  // The brackets belong to the URL; the guard knows addresses without them.
  return urls.map((url) => bareHost(new URL(url))).filter((host) => egressEntryFault(host) === null)
}

/** Computes anew only when the array is another one. */
export function ofLatest<A extends object, B>(read: () => A, compute: (array: A) => B): () => B {
  let last: { readonly from: A; readonly made: B } | null = null
  return () => {
    const from = read()
    if (last?.from !== from) last = { from, made: compute(from) }
    return last.made
  }
}

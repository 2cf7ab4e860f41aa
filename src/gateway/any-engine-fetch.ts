import type { FetchFailureKind } from '../net/fetch-failure.ts'
import type { FetchOutcome, GuardedFetch } from '../net/guarded-fetch.ts'
import { httpOriginOf } from '../net/http-origin.ts'

/**
 * Failures without an answer. An engine that is gone from the register is shown no bearer any more, and its private
 * address is forbidden.
 */
const UNREACHED: ReadonlySet<FetchFailureKind> = new Set([
  'connect',
  'timeout',
  'dns',
  'forbidden',
  'protocol',
] as const)
const UNAUTHORIZED = 401

/**
 * Fetches media of engines ([engine-fleet.register.11]): where the origin of an address cannot be reached, the engines
 * that there are now are asked for the same path, one after the other, because any engine of a fleet serves it. The
 * first that has it answers; without one the first outcome stands.
 */
export function anyEngineFetch(fetch: GuardedFetch, engineUrls: () => readonly string[]): GuardedFetch {
  return {
    check: (url) => fetch.check(url),
    close: () => fetch.close(),
    async request(request) {
      const first = await fetch.request(request)
      const origins = [...new Set(engineUrls().map(httpOriginOf))]
      if (!URL.canParse(request.url) || !isElsewhere(first, origins.includes(new URL(request.url).origin))) return first
      const { origin: gone, pathname, search } = new URL(request.url)
      for (const origin of origins) {
        if (origin === gone || request.signal?.aborted === true) continue
        const outcome = await fetch.request({ ...request, url: `${origin}${pathname}${search}` })
        if (outcome.ok && outcome.response.status === 200) {
          if (first.ok) first.response.body.cancel()
          return outcome
        }
        if (outcome.ok) outcome.response.body.cancel()
      }
      return first
    },
  }
}

/** Whether another engine may have what this one did not give. */
function isElsewhere(outcome: FetchOutcome, isEngine: boolean): boolean {
  return outcome.ok ? outcome.response.status === UNAUTHORIZED && !isEngine : UNREACHED.has(outcome.failure.kind)
}

import type { UrlCheck, UrlFault } from '../ports/url-check.ts'
import type { FetchFailure } from './fetch-failure.ts'
import type { GuardedFetch } from './guarded-fetch.ts'

/** Makes the check of addresses from that of the guarded client. */
export function urlCheckOf(fetchUrl: Pick<GuardedFetch, 'check'>): UrlCheck {
  return async (url) => faultOf(await fetchUrl.check(url))
}

function faultOf(failure: FetchFailure | null): UrlFault | null {
  if (failure?.kind === 'invalid-url') return 'invalid'
  return failure?.kind === 'forbidden' ? 'forbidden' : null
}

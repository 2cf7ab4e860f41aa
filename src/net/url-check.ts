import type { UrlCheck, UrlFault } from '../ports/url-check.ts'
import type { FetchFailure } from './fetch-failure.ts'
import type { GuardedFetch } from './guarded-fetch.ts'

/** The check of addresses as its guard has it. */
export function urlCheckOf(fetchUrl: Pick<GuardedFetch, 'check'>): UrlCheck {
  return async (url) => faultOf(await fetchUrl.check(url))
}

function faultOf(failure: FetchFailure | null): UrlFault | null {
  if (failure?.kind === 'invalid-url') return 'invalid'
  return failure?.kind === 'forbidden' ? 'forbidden' : null
}

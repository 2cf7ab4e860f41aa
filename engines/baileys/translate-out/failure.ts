import { Refusal } from '../protocol/refusal.ts'

/** Errors of the bridge by the network's (HTTP-like) codes. All others are FAILED. */
const CODES: ReadonlyMap<number, { readonly code: string; readonly retryable: boolean }> = new Map([
  [401, { code: 'UNAUTHORIZED', retryable: false }],
  [403, { code: 'UNAUTHORIZED', retryable: false }],
  [404, { code: 'NOT_FOUND', retryable: false }],
  [408, { code: 'FAILED', retryable: true }],
  [410, { code: 'NOT_FOUND', retryable: false }],
  [429, { code: 'RATE_LIMITED', retryable: true }],
  [500, { code: 'FAILED', retryable: true }],
  [503, { code: 'FAILED', retryable: true }],
])

/** The library's own code for a socket that closed during a request. */
const CONNECTION_CLOSED = 428

/**
 * The refusal for a failed request of the library. Words of errors that are not the network's are left out, because
 * they may name addresses.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const status = statusOf(error)
  if (status === CONNECTION_CLOSED)
    return new Refusal('NOT_CONNECTED', 'The connection to the network broke. Try again shortly.', true)
  if (status === null) return new Refusal('FAILED', 'The request to the network failed', true)
  const { code, retryable } = CODES.get(status) ?? { code: 'FAILED', retryable: status >= 500 }
  return new Refusal(code, `The network refused the request (${status})`, retryable)
}

/** The code of an error that the library threw; null without one. `data` is the network's own code, if there is one. */
function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null
  const { output, data } = error as { readonly output?: { readonly statusCode?: unknown }; readonly data?: unknown }
  const own = typeof data === 'number' ? data : null
  const status = own ?? output?.statusCode
  return typeof status === 'number' ? status : null
}

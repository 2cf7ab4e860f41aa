import { readBeginning } from '../net/guarded-body.ts'
import type { FetchFailure } from '../net/fetch-failure.ts'
import type { GuardedFetch, GuardedResponse } from '../net/guarded-fetch.ts'
import { parseRetryAfter } from '../net/retry-after.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * [webhooks.delivery.6]: connecting and reading the whole answer take 15 s at most; connecting alone has the guarded
 * client's limit of 5 s.
 */
export const ATTEMPT_TOTAL_MS = 15_000
/** [webhooks.delivery.8] */
const RESPONSE_BYTES = 16_384

export interface Attempt {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly totalMs: number
  /** Aborts the attempt (at a shutdown). */
  readonly signal: AbortSignal
}

/** The outcome of one POST. A receiver's 500 is an outcome too, never an error of the gateway. */
export interface AttemptOutcome {
  readonly status: 'SUCCESS' | 'FAILED'
  /** Status of the answer; 0 when none came. */
  readonly statusCode: number
  /** The first 16 KB of the answer, or why there was none. */
  readonly response: string
  /** True when `response` is the receiver's text, false when it is the gateway's. */
  readonly isReceiverText: boolean
  readonly durationMs: number
  readonly retryAfterMs: number | null
  readonly isTimeout: boolean
  /** True when `signal` aborted the attempt, so that it says nothing of the receiver. */
  readonly isAborted: boolean
}

/**
 * Sends a delivery once. 2xx is SUCCESS ([webhooks.retries.2]); redirects are answers like any other and are not
 * followed ([webhooks.delivery.7]). Our choice: an answer that breaks off or stalls before its end or its 16 KB is a
 * failure even when it began with 2xx, because nobody knows what the receiver did with the event.
 */
export async function attempt(
  fetchUrl: GuardedFetch,
  clock: Clock,
  { url, headers, body, totalMs, signal }: Attempt,
): Promise<AttemptOutcome> {
  const startMs = clock.monotonicMs()
  const elapsed = () => Math.max(0, Math.round(clock.monotonicMs() - startMs))
  const sent = await fetchUrl.request({
    url,
    method: 'POST',
    headers,
    body,
    redirects: 0,
    maxBytes: Infinity,
    totalMs,
    signal,
  })
  if (!sent.ok) return failed(sent.failure, 0, null, elapsed())
  const { response } = sent
  const retryAfterMs = parseRetryAfter(response.headers['retry-after'], clock.now())
  const beginning = await readBeginning(response.body, RESPONSE_BYTES)
  if (beginning.failure) return failed(beginning.failure, response.status, retryAfterMs, elapsed())
  return {
    status: response.status >= 200 && response.status < 300 ? 'SUCCESS' : 'FAILED',
    statusCode: response.status,
    ...readable(response, beginning.bytes),
    durationMs: elapsed(),
    retryAfterMs,
    isTimeout: false,
    isAborted: false,
  }
}

function failed(
  failure: FetchFailure,
  statusCode: number,
  retryAfterMs: number | null,
  durationMs: number,
): AttemptOutcome {
  return {
    status: 'FAILED',
    statusCode,
    response: failure.message,
    isReceiverText: false,
    durationMs,
    retryAfterMs,
    isTimeout: failure.kind === 'timeout',
    isAborted: failure.kind === 'aborted',
  }
}

/**
 * Our choice: a compressed answer is described and not unpacked, because it may be a bomb. The request asked for none.
 */
function readable(response: GuardedResponse, bytes: Uint8Array): { response: string; isReceiverText: boolean } {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    return { response: `(${bytes.byteLength} bytes, compressed)`, isReceiverText: false }
  // `stream` drops a character that was cut in half at the end instead of writing a replacement for it.
  return { response: new TextDecoder().decode(bytes, { stream: true }), isReceiverText: true }
}

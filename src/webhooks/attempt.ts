import { readBeginning } from '../net/guarded-body.ts'
import type { FetchFailure } from '../net/fetch-failure.ts'
import type { GuardedFetch, GuardedResponse } from '../net/guarded-fetch.ts'
import { parseRetryAfter } from '../net/retry-after.ts'
import type { Clock } from '../ports/clock.ts'

/** contract 5: connecting and the whole answer together; connecting alone has the guarded client's 5 s. */
export const ATTEMPT_TOTAL_MS = 15_000
/** contract 5. */
const RESPONSE_BYTES = 16_384

export interface Attempt {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly totalMs: number
  /** Gives the attempt up (shutdown). */
  readonly signal: AbortSignal
}

/** One POST and what came of it: a customer's 500 is an outcome, not an error of ours. */
export interface AttemptOutcome {
  readonly status: 'SUCCESS' | 'FAILED'
  /** 0 when no answer came. */
  readonly statusCode: number
  /** The answer's first 16 KB, or why there was none. */
  readonly response: string
  /** True when `response` is the receiver's text, not ours. */
  readonly isReceiverText: boolean
  readonly durationMs: number
  readonly retryAfterMs: number | null
  readonly isTimeout: boolean
  /** Given up by `signal`: it says nothing of the receiver. */
  readonly isAborted: boolean
}

/**
 * Sends a delivery once. 2xx is SUCCESS (contract 5); redirects are answers like any other and not followed. Our
 * choice: an answer that breaks off or stalls before its end or its 16 KB is a failure even when it began with 2xx,
 * because nobody knows what the receiver did with the event.
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

/** Our choice: a compressed answer, which was asked not to be, is described and not unpacked: it may be a bomb. */
function readable(response: GuardedResponse, bytes: Uint8Array): { response: string; isReceiverText: boolean } {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    return { response: `(${bytes.byteLength} bytes, compressed)`, isReceiverText: false }
  // `stream` drops a character cut in half at the end instead of writing a replacement for it.
  return { response: new TextDecoder().decode(bytes, { stream: true }), isReceiverText: true }
}

import { newId } from '../domain/ids.ts'
import { readJsonObject } from '../domain/json-object.ts'
import { FLOW_ENDPOINT_BYTES, FLOW_ENDPOINT_MS } from '../domain/limits.ts'
import { readBeginning } from '../net/guarded-body.ts'
import type { GuardedFetch, GuardedResponse } from '../net/guarded-fetch.ts'
import type { Clock } from '../ports/clock.ts'
import type { AskFlowEndpoint, EndpointAnswer } from '../ports/flow-endpoint.ts'
import { sign } from './sign.ts'

/** The status by which upstream says that the token of the Flow is no longer valid. */
const STALE = 427
/** The empty answer that goes with the status 427. */
const NOTHING = '{}'

export interface FlowEndpointDeps {
  readonly fetchUrl: GuardedFetch
  readonly clock: Clock
}

/**
 * Makes the function that asks tenants' endpoints of Flows. The request is signed as webhooks are, takes 8 s at most
 * ([flows.data-exchange.7]) and follows no redirects; nothing of it is kept.
 */
export function createFlowEndpoints({ fetchUrl, clock }: FlowEndpointDeps): AskFlowEndpoint {
  return async ({ url, secret }, text) => {
    const body = Buffer.from(text, 'utf8')
    const id = newId('fask')
    const timestamp = Math.floor(clock.now() / 1_000)
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign([secret], { id, timestamp, body }),
    }
    const sent = await fetchUrl.request({
      url,
      method: 'POST',
      headers,
      body,
      redirects: 0,
      maxBytes: FLOW_ENDPOINT_BYTES,
      totalMs: FLOW_ENDPOINT_MS,
    })
    return sent.ok ? answerOf(sent.response) : { kind: 'failed', reason: sent.failure.kind }
  }
}

async function answerOf({ status, headers, body }: GuardedResponse): Promise<EndpointAnswer> {
  if (status !== STALE && (status < 200 || status > 299)) {
    body.cancel()
    return { kind: 'failed', reason: `status ${status}` }
  }
  const { bytes, failure } = await readBeginning(body, FLOW_ENDPOINT_BYTES)
  if (failure) return { kind: 'failed', reason: failure.kind }
  // A compressed answer is not unpacked, because it may be a bomb. The request asked for none.
  const text =
    (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
      ? (readJsonObject(bytes)?.text ?? null)
      : null
  if (status === STALE) return { kind: 'stale', text: text ?? NOTHING }
  return text === null ? { kind: 'failed', reason: 'no JSON object' } : { kind: 'answered', text }
}

import { Unmet } from './finding.ts'
import type { World } from './world.ts'

/** our choice: what such a route answers is not read. */
const MAX_ANSWER_BYTES = 4_096

/**
 * Posts to a control route, which does what a hand would do. Throws `Unmet` when it refuses, or does not answer within
 * the patience; `what` names it then.
 */
export async function postControl(
  { parts: { fetchUrl }, options: { patienceMs } }: World,
  what: string,
  url: string,
  asked: Readonly<Record<string, unknown>>,
): Promise<void> {
  const outcome = await fetchUrl.request({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
    maxBytes: MAX_ANSWER_BYTES,
    totalMs: patienceMs,
  })
  if (!outcome.ok) throw new Unmet(`the ${what} could not be reached: ${outcome.failure.kind}`)
  await outcome.response.body.cancel()
  if (outcome.response.status >= 300) throw new Unmet(`the ${what} answered HTTP ${outcome.response.status}`)
}

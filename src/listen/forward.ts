import type { EventName } from '../domain/events.ts'
import type { EventId, NumberId } from '../domain/ids.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { Clock } from '../ports/clock.ts'
import { attempt, ATTEMPT_TOTAL_MS, type AttemptOutcome } from '../webhooks/attempt.ts'
import { makeEnvelope } from '../webhooks/envelope.ts'
import { sign } from '../webhooks/sign.ts'
import type { ShownEvent } from './event-feed.ts'

export interface ForwardOptions {
  readonly url: string
  readonly secret: string
  readonly fetchUrl: GuardedFetch
  readonly clock: Clock
  /** Waits; ends early, without throwing, when the program is stopped. */
  readonly pause: (ms: number) => Promise<void>
  readonly signal: AbortSignal
}

/** What came of forwarding one event, after its last try. */
export interface Forwarded extends Pick<AttemptOutcome, 'status' | 'statusCode' | 'response' | 'durationMs'> {
  readonly tries: number
}

/** our choice: whoever watches a terminal wants the next event, not twelve tries over three days. */
const WAITS_MS = [1_000, 3_000]

/** Posts an event to a local address with the body, the headers and the signature of a real delivery (contract 5). */
export async function forward(event: ShownEvent, options: ForwardOptions): Promise<Forwarded> {
  const { bytes } = makeEnvelope({
    id: event.id as EventId,
    event: event.event as EventName,
    numberId: event.channelNumberId as NumberId,
    createdAt: new Date(event.timestamp),
    data: event.data,
  })
  for (let tries = 1; ; tries++) {
    const outcome = await attempt(options.fetchUrl, options.clock, {
      url: options.url, headers: headersOf(event, bytes, tries, options), body: bytes, totalMs: ATTEMPT_TOTAL_MS, signal: options.signal,
    })
    const waitMs = WAITS_MS[tries - 1]
    if (outcome.status === 'SUCCESS' || waitMs === undefined || options.signal.aborted) return { ...outcome, tries }
    await options.pause(waitMs)
  }
}

function headersOf(event: ShownEvent, body: Buffer, tries: number, { secret, clock }: ForwardOptions): Record<string, string> {
  const timestamp = Math.floor(clock.now() / 1000)
  return {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign([secret], { id: event.id as EventId, timestamp, body }),
    'x-channel-event': event.event,
    'x-channel-number-id': event.channelNumberId,
    'x-webhook-attempt': String(tries),
  }
}

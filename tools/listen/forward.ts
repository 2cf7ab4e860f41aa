import type { EventName } from '../../src/domain/events.ts'
import { newId, type EventId, type NumberId } from '../../src/domain/ids.ts'
import type { GuardedFetch } from '../../src/net/guarded-fetch.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { DeliveryTarget } from '../../src/ports/stores/delivery-store.ts'
import { ATTEMPT_TOTAL_MS, type AttemptOutcome } from '../../src/webhooks/attempt.ts'
import { deliver } from '../../src/webhooks/deliver.ts'
import type { Deliverable } from '../../src/domain/envelope.ts'
import { makeEnvelope } from '../../src/webhooks/envelope.ts'
import type { ShownEvent } from './event-feed.ts'

export interface ForwardOptions {
  readonly url: string
  readonly secret: string
  readonly fetchUrl: GuardedFetch
  readonly clock: Clock
  readonly log: Log
  /** Waits this many ms; ends early, without throwing, when the program is stopped. */
  readonly pause: (ms: number) => Promise<void>
  readonly signal: AbortSignal
}

/** The outcome of forwarding one event, after its last try. */
export interface Forwarded extends Pick<AttemptOutcome, 'status' | 'statusCode' | 'response' | 'durationMs'> {
  readonly tries: number
}

/** our choice, in ms: whoever watches a terminal wants the next event soon, not twelve tries over three days. */
const WAITS_MS = [1_000, 3_000]

/**
 * Posts an event to a local address with the code that posts real deliveries: same body, same headers, signed
 * ([webhooks.delivery.2]).
 */
export async function forward(shown: ShownEvent, options: ForwardOptions): Promise<Forwarded> {
  const { clock, fetchUrl, log, pause, signal } = options
  const event = toDeliverable(shown)
  const envelope = makeEnvelope(event)
  const target = toTarget(event, options)
  for (let attempt = 1; ; attempt++) {
    const { outcome } = await deliver(
      { fetchUrl, clock, log, totalMs: ATTEMPT_TOTAL_MS },
      { event, envelope, target, attempt, signal },
    )
    const waitMs = WAITS_MS[attempt - 1]
    if (outcome.status === 'SUCCESS' || waitMs === undefined || signal.aborted) return { ...outcome, tries: attempt }
    await pause(waitMs)
  }
}

/** The event goes out exactly as the service answered it. */
function toDeliverable({ id, event, channelNumberId, timestamp, data }: ShownEvent): Deliverable {
  return {
    id: id as EventId,
    event: event as EventName,
    numberId: channelNumberId as NumberId,
    createdAt: new Date(timestamp),
    data,
  }
}

function toTarget({ numberId }: Deliverable, { url, secret }: ForwardOptions): DeliveryTarget {
  return {
    webhookId: newId('wh'),
    tenantId: newId('ten'),
    numberId,
    url,
    secrets: [secret],
    failingSince: null,
    piiMode: 'STORE_INDEFINITE',
  }
}

import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { WebhookScope } from '../../ports/stores/webhook-store.ts'
import { findWebhook } from './find.ts'
import type { WebhookPorts } from './ports.ts'
import { SWITCHED_OFF } from './redeliver.ts'

/** [webhooks.redelivery.1]: the most events that one request queues. */
export const MOST_REDELIVERED = 1_000

export interface RedeliverFailedInput {
  readonly scope: WebhookScope
  readonly id: string
  readonly since: Date
  /** Null for now. */
  readonly until: Date | null
}

/**
 * Queues the events again whose last attempt in the range failed ([webhooks.routes.14]); gives how many. Refusals:
 * INVALID_DATE_RANGE, WEBHOOK_NOT_FOUND, WEBHOOK_INACTIVE.
 */
export async function redeliverFailed(
  ports: WebhookPorts,
  { scope, id, since, until }: RedeliverFailedInput,
): Promise<Outcome<number>> {
  if (until !== null && since > until) return fail(refuse('INVALID_DATE_RANGE', 'since must not be after until'))
  const found = await findWebhook(ports, scope, id)
  if (!found.ok) return found
  if (!found.value.active) return fail(SWITCHED_OFF)
  const range = { since, until: until ?? new Date(ports.clock.now()) }
  return succeed(await ports.deliveries.redeliverFailed(found.value, range, MOST_REDELIVERED))
}

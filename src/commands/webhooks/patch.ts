import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { SubscribedEvent, Webhook } from '../../domain/webhook.ts'
import type { WebhookPatch, WebhookScope } from '../../ports/stores/webhook-store.ts'
import { findWebhook, WEBHOOK_GONE } from './find.ts'
import type { WebhookPorts } from './ports.ts'
import { noteStories } from './stories.ts'
import { subscription, urlRefusal } from './subscription.ts'

/** A field that is absent stays as it is. */
export interface WebhookChanges {
  readonly name?: string | null | undefined
  readonly url?: string | undefined
  readonly active?: boolean | undefined
  /** The names as they were sent; they replace the list. */
  readonly events?: readonly string[] | undefined
}

export interface PatchWebhookInput {
  readonly scope: WebhookScope
  readonly id: string
  readonly changes: WebhookChanges
}

/**
 * Changes a webhook ([webhooks.routes.4]). Answers it as it is now. Refusals: WEBHOOK_NOT_FOUND, INVALID_EVENT,
 * WEBHOOK_URL_FORBIDDEN, VALIDATION.
 */
export async function patchWebhook(
  ports: WebhookPorts,
  { scope, id, changes: { name, url, active, events: names } }: PatchWebhookInput,
): Promise<Outcome<Webhook>> {
  const found = await findWebhook(ports, scope, id)
  if (!found.ok) return found
  const webhook = found.value
  const events = names ? await subscriptionOf(ports, webhook, names) : succeed(null)
  if (!events.ok) return events
  const refusal = url === undefined ? null : await urlRefusal(ports.checkUrl, url)
  if (refusal) return fail(refusal)
  const patch: WebhookPatch = {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(active === undefined ? {} : { active }),
    ...(events.value ? { events: events.value } : {}),
  }
  const changed = Object.keys(patch).length === 0 ? webhook : await ports.webhooks.patch(scope, webhook.id, patch)
  if (!changed) return fail(WEBHOOK_GONE)
  noteStories(ports, webhook, webhook, changed)
  return succeed(changed)
}

/** Reads the names by the kind of the webhook's number. When the number is gone, its webhooks are gone, too. */
async function subscriptionOf(
  { numbers }: WebhookPorts,
  { tenantId, numberId }: Webhook,
  names: readonly string[],
): Promise<Outcome<SubscribedEvent[]>> {
  const number = await numbers.find(tenantId, numberId)
  return number ? subscription(names, number.provider) : fail(WEBHOOK_GONE)
}

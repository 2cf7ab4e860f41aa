import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { makeSecret } from '../../domain/webhook-secret.ts'
import type { Webhook } from '../../domain/webhook.ts'
import type { WebhookPorts } from './ports.ts'
import { noteStories } from './stories.ts'
import { subscription, urlRefusal } from './subscription.ts'

/** Our choice: webhooks that a number may have. Every event of the number is matched against all of them. */
export const MAX_WEBHOOKS = 20

export interface CreateWebhookInput {
  readonly number: NumberRef
  readonly name: string | null
  readonly url: string
  /** The names as they were sent. */
  readonly events: readonly string[]
  /** null when the service is to make one. */
  readonly secret: string | null
}

/**
 * Creates a webhook for a number ([webhooks.routes.1]). Refusals: INVALID_EVENT, WEBHOOK_URL_FORBIDDEN, VALIDATION,
 * WEBHOOK_LIMIT_EXCEEDED.
 */
export async function createWebhook(
  ports: WebhookPorts,
  { number, name, url, events: names, secret: given }: CreateWebhookInput,
): Promise<Outcome<{ readonly webhook: Webhook; readonly secret: string }>> {
  const events = subscription(names, number.provider)
  if (!events.ok) return events
  const refusal = await urlRefusal(ports.checkUrl, url)
  if (refusal) return fail(refusal)
  const scope = { tenantId: number.tenantId, numberId: number.id }
  const secret = given ?? makeSecret()
  const webhook = await ports.webhooks.create({ ...scope, name, url, events: events.value, secret }, MAX_WEBHOOKS)
  if (!webhook)
    return fail(
      refuse(
        'WEBHOOK_LIMIT_EXCEEDED',
        `The number has ${MAX_WEBHOOKS} webhooks, the most there can be: delete one first`,
      ),
    )
  noteStories(ports, webhook, null, webhook)
  return succeed({ webhook, secret })
}

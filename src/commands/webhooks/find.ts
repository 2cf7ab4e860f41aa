import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { Webhook, WebhookId } from '../../domain/webhook.ts'
import type { WebhookScope } from '../../ports/stores/webhook-store.ts'
import type { WebhookPorts } from './ports.ts'

/** The refusal of a webhook that the caller may not see, or that was removed meanwhile. */
export const WEBHOOK_GONE: Refusal = refuse('WEBHOOK_NOT_FOUND', 'No such webhook')

/** Finds a webhook that the caller may see; any other is WEBHOOK_NOT_FOUND ([webhooks.routes.12]). */
export async function findWebhook(
  { webhooks }: WebhookPorts,
  scope: WebhookScope,
  id: string,
): Promise<Outcome<Webhook>> {
  const webhook = /^wh_[0-9a-z]{26}$/.test(id) ? await webhooks.find(scope, id as WebhookId) : null
  return webhook ? succeed(webhook) : fail(WEBHOOK_GONE)
}

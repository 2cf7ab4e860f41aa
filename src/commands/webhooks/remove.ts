import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { WebhookId } from '../../domain/webhook.ts'
import type { WebhookScope } from '../../ports/stores/webhook-store.ts'
import { findWebhook, WEBHOOK_GONE } from './find.ts'
import type { WebhookPorts } from './ports.ts'
import { noteStories } from './stories.ts'

/** Removes a webhook, to which nothing more is delivered ([webhooks.routes.5]). Refusal: WEBHOOK_NOT_FOUND. */
export async function removeWebhook(
  ports: WebhookPorts,
  { scope, id }: { readonly scope: WebhookScope; readonly id: string },
): Promise<Outcome<WebhookId>> {
  const found = await findWebhook(ports, scope, id)
  if (!found.ok) return found
  const webhook = found.value
  if (!(await ports.webhooks.remove(scope, webhook.id))) return fail(WEBHOOK_GONE)
  noteStories(ports, webhook, webhook, null)
  return succeed(webhook.id)
}

import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { WebhookId } from '../../domain/webhook.ts'
import type { WebhookScope, WebhookStore } from '../../ports/stores/webhook-store.ts'
import { findWebhook, WEBHOOK_GONE } from './find.ts'
import { noteStories } from './stories.ts'
import type { StoriesDeps } from './stories.ts'

export interface RemoveWebhookDeps extends StoriesDeps {
  readonly webhooks: Pick<WebhookStore, 'find' | 'remove'>
}

/** Removes a webhook: nothing more is delivered (contract 5). Refusals: WEBHOOK_NOT_FOUND. */
export async function removeWebhook(
  deps: RemoveWebhookDeps,
  { scope, id }: { readonly scope: WebhookScope; readonly id: string },
): Promise<Outcome<WebhookId>> {
  const found = await findWebhook(deps, scope, id)
  if (!found.ok) return found
  const webhook = found.value
  if (!(await deps.webhooks.remove(scope, webhook.id))) return fail(WEBHOOK_GONE)
  noteStories(deps, webhook, webhook, null)
  return succeed(webhook.id)
}

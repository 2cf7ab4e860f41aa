import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { Caller } from '../../../domain/number.ts'
import type { Webhook, WebhookId } from '../../../domain/webhook.ts'
import type { WebhookScope } from '../../../ports/stores/webhook-store.ts'
import type { HttpDeps } from '../../deps.ts'

export type WebhookDeps = Pick<HttpDeps, 'webhooks' | 'deliveries' | 'numbers' | 'checkUrl' | 'clock' | 'directory' | 'log'>

export const GROUP = 'Webhooks'

/** Whose webhooks the caller sees: its number's, or the tenant's, narrowed by the header. */
export function scopeOf(caller: Caller, narrowedTo: NumberId | null): WebhookScope {
  return { tenantId: caller.tenantId, numberId: caller.numberId ?? narrowedTo }
}

/** A webhook the caller may see; any other is 404 WEBHOOK_NOT_FOUND (contract 5). */
export async function findWebhook(deps: Pick<WebhookDeps, 'webhooks'>, scope: WebhookScope, id: string): Promise<Webhook> {
  const webhook = /^wh_[0-9a-z]{26}$/.test(id) ? await deps.webhooks.find(scope, id as WebhookId) : null
  return webhook ?? gone()
}

/** Refuses a webhook that is invisible, or was removed meanwhile. */
export function gone(): never {
  throw new RefusalError(refuse('WEBHOOK_NOT_FOUND', 'No such webhook'))
}

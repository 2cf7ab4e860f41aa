import { boundNumber, type Caller } from '../../../domain/caller.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { WebhookScope } from '../../../ports/stores/webhook-store.ts'

export const GROUP = 'Webhooks'

/**
 * The webhooks that a caller sees: those of its number, or of the tenant, narrowed by the header
 * ([webhooks.routes.12]).
 */
export function scopeOf(caller: Caller, narrowedTo: NumberId | null): WebhookScope {
  return { tenantId: caller.tenantId, numberId: boundNumber(caller) ?? narrowedTo }
}

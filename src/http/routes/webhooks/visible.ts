import { boundNumber, type Caller } from '../../../domain/caller.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { WebhookScope } from '../../../ports/stores/webhook-store.ts'

export const GROUP = 'Webhooks'

/** Whose webhooks the caller sees: its number's, or the tenant's, narrowed by the header. */
export function scopeOf(caller: Caller, narrowedTo: NumberId | null): WebhookScope {
  return { tenantId: caller.tenantId, numberId: boundNumber(caller) ?? narrowedTo }
}

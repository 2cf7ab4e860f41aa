import type { Directory } from '../../../../actors/hosting/directory.ts'
import { boundNumber, type Caller } from '../../../domain/caller.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'
import type { Deliveries, WebhookScope, WebhookStore } from '../../../ports/stores/webhook-store.ts'
import type { UrlCheck } from '../../../ports/url-check.ts'

/** What the routes of webhooks use. */
export interface WebhookDeps {
  readonly webhooks: WebhookStore
  readonly deliveries: Deliveries
  readonly numbers: NumberStore
  readonly directory: Directory
  /** Decides whether a webhook may point to an address, when it is stored (contract 5). */
  readonly checkUrl: UrlCheck
  readonly clock: Clock
  readonly log: Log
}

export const GROUP = 'Webhooks'

/** Whose webhooks the caller sees: its number's, or the tenant's, narrowed by the header. */
export function scopeOf(caller: Caller, narrowedTo: NumberId | null): WebhookScope {
  return { tenantId: caller.tenantId, numberId: boundNumber(caller) ?? narrowedTo }
}

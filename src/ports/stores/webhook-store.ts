import type { Outcome } from '../../domain/errors.ts'
import type { EventId, NumberId, TenantId } from '../../domain/ids.ts'
import type { DeliveryLog, DeliveryLogId, SubscribedEvent, Webhook, WebhookId } from '../../domain/webhook.ts'
import type { EventName } from '../../domain/events.ts'
import type { FailedRange } from './delivery-store.ts'
import type { NativeField } from '../../domain/upstream-fields.ts'

/** The webhooks that a caller sees: its number's, or all of its tenant. Every query carries it. */
export interface WebhookScope {
  readonly tenantId: TenantId
  readonly numberId: NumberId | null
}

export interface NewWebhook {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly name: string | null
  readonly url: string
  readonly events: readonly SubscribedEvent[]
  /** `whsec_...`; sealed at rest. */
  readonly secret: string
}

export type WebhookPatch = Partial<Pick<Webhook, 'name' | 'url' | 'active' | 'events'>>

export interface WebhookLogQuery {
  readonly limit: number
  /** Null for all events. */
  readonly event: EventName | NativeField | null
  /** Null for all attempts, whatever became of them. */
  readonly status: DeliveryLog['status'] | null
  /** Only attempts before this one; null for the newest. */
  readonly before: DeliveryLogId | null
}

export interface WebhookStore {
  /**
   * Creates a webhook; null when its number has `most` already, however many are made at once. Throws when the tenant
   * has no such number, since it was removed a moment ago.
   */
  create(webhook: NewWebhook, most: number): Promise<Webhook | null>
  list(scope: WebhookScope): Promise<Webhook[]>
  find(scope: WebhookScope, id: WebhookId): Promise<Webhook | null>
  /** Changes a webhook. Setting `active` clears `disabledReason` and the count of failures. */
  patch(scope: WebhookScope, id: WebhookId, patch: WebhookPatch): Promise<Webhook | null>
  /** Removes a webhook; its queued deliveries never go out. */
  remove(scope: WebhookScope, id: WebhookId): Promise<boolean>
  /** Makes `secret` the current one; the one before signs too until `previousUntil`. False when invisible. */
  rotateSecret(scope: WebhookScope, id: WebhookId, secret: string, previousUntil: Date): Promise<boolean>
  /** Lists log items, newest first. Null when the webhook is invisible, or `before` is no item of its log. */
  logs(scope: WebhookScope, id: WebhookId, page: WebhookLogQuery): Promise<DeliveryLog[] | null>
  /** Finds the event of a log item; null when either is invisible. */
  loggedEvent(scope: WebhookScope, id: WebhookId, logId: DeliveryLogId): Promise<EventId | null>
}

/** What the webhook routes ask of the delivering side. */
export interface Deliveries {
  /** Sends `webhook.test` now, whatever the subscription, and gives the one attempt; logged, never retried. */
  test(webhook: Webhook): Promise<DeliveryLog>
  /**
   * Queues the event for this webhook again, with a fresh schedule and the same `webhook-id`. Refusals: NOT_FOUND once
   * the event is purged.
   */
  redeliver(webhook: Webhook, eventId: EventId): Promise<Outcome<null>>
  /** Queues what failed in the range again, as `DeliveryStore.enqueueFailed` says. Gives how many events that are. */
  redeliverFailed(webhook: Webhook, range: FailedRange, most: number): Promise<number>
}

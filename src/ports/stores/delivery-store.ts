import type { StoredEvent } from '../../domain/events.ts'
import type { EventId, NumberId, TenantId } from '../../domain/ids.ts'
import type { PiiMode, ProviderKind } from '../../domain/number.ts'
import type { DisabledReason, StoredLog, SubscribedEvent, WebhookId } from '../../domain/webhook.ts'

/** A delivery that waits to be tried: one event for one webhook. */
export interface DeliveryJob {
  readonly eventId: EventId
  readonly webhookId: WebhookId
  readonly tenantId: TenantId
  /** 1 for the first try. */
  readonly attempt: number
}

/** A job as fetched; `jobId` settles it. */
export interface FetchedDelivery extends DeliveryJob {
  readonly jobId: string
}

/**
 * A webhook as the delivering side needs it. It is read anew for each batch, so that a pause or a removal holds at
 * once.
 */
export interface DeliveryTarget {
  readonly webhookId: WebhookId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly url: string
  /** The secrets that sign now, the current one first. */
  readonly secrets: readonly string[]
  /** When the run of nothing but failures began; null when the last attempt succeeded. */
  readonly failingSince: Date | null
  readonly piiMode: PiiMode
}

export interface Subscriber {
  readonly webhookId: WebhookId
  readonly tenantId: TenantId
  readonly events: readonly SubscribedEvent[]
  readonly provider: ProviderKind
}

/** The outcome of one attempt, to be stored together with many others. */
export interface SettledAttempt {
  /** Null for an attempt outside the queue (webhook.test). */
  readonly jobId: string | null
  /** Null when nothing was sent (webhook or event gone): the job just ends. */
  readonly log: StoredLog | null
  readonly retry: { readonly job: DeliveryJob; readonly delayMs: number } | null
  readonly disable: DisabledReason | null
}

/** The webhook whose failed deliveries are queued again. */
export interface FailedOf {
  readonly id: WebhookId
  readonly tenantId: TenantId
  readonly numberId: NumberId
}

/** The attempts that count, by the time at which they began; both ends are in the range. */
export interface FailedRange {
  readonly since: Date
  readonly until: Date
}

/** What became of rows of the outbox. */
export interface Relayed {
  readonly taken: number
  /** How many jobs were put into the queue. */
  readonly queued: number
  /** What this node tries at once; to be settled as if it had been fetched. */
  readonly begun: readonly FetchedDelivery[]
}

/** Deliveries on rows and pg-boss; each method is one transaction. */
export interface DeliveryStore {
  /**
   * Moves up to `limit` outbox rows into deliveries: `match` decides which subscribers of the event's number get it,
   * `choose` which of them this node tries at once, without a job in the queue; none by default. Nodes may run it side
   * by side.
   */
  relay(
    limit: number,
    match: (event: StoredEvent, subscribers: readonly Subscriber[]) => readonly DeliveryJob[],
    choose?: (jobs: readonly DeliveryJob[]) => ReadonlySet<DeliveryJob>,
  ): Promise<Relayed>
  /** Takes due jobs for this node, none of the webhooks in `except`. */
  fetch(limit: number, except: readonly WebhookId[]): Promise<FetchedDelivery[]>
  /**
   * Reads events and targets of a batch; any that are missing from the answer are gone, paused or disabled.
   * `isPausedToo` gives paused and disabled targets as well (webhook.test of a webhook that is not switched on again
   * yet).
   */
  load(
    deliveries: readonly DeliveryJob[],
    isPausedToo?: boolean,
  ): Promise<{ events: ReadonlyMap<EventId, StoredEvent>; targets: ReadonlyMap<WebhookId, DeliveryTarget> }>
  /** Stores attempts, health of the webhooks, retries and the end of the jobs in one transaction. */
  settle(attempts: readonly SettledAttempt[]): Promise<void>
  /** Gives fetched jobs back untouched, on shutdown. */
  putBack(deliveries: readonly FetchedDelivery[]): Promise<void>
  enqueue(job: DeliveryJob): Promise<void>
  /**
   * Queues again, once each, up to `most` events whose last attempt in the range failed, those of the oldest attempts
   * first. An event that waits to be tried now, or is being tried, is passed over, and one that is kept no longer.
   * Requests for one webhook take turns, so that two at once queue nothing twice. Gives how many were queued; 0 when
   * the webhook is gone or switched off.
   */
  enqueueFailed(webhook: FailedOf, range: FailedRange, most: number): Promise<number>
  /**
   * Stores an event that goes to one webhook only and not to subscribers, so that it can be delivered again
   * (webhook.test).
   */
  keep(event: StoredEvent): Promise<void>
  /** Age in ms of the oldest outbox row; 0 when empty. */
  outboxAgeMs(): Promise<number>
  /**
   * Deletes logs and events past their 30 days ([webhooks.logs.1]), and payloads past the number's privacy window.
   * Gives the number of rows.
   */
  purge(): Promise<number>
}

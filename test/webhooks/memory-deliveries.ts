import type { StoredEvent } from '../../src/domain/events.ts'
import { newId } from '../../src/domain/ids.ts'
import type { EventId, NumberId, TenantId } from '../../src/domain/ids.ts'
import type { DeliveryLog, DisabledReason, SubscribedEvent, WebhookId } from '../../src/domain/webhook.ts'
import { StoreAway } from '../../src/domain/store-away.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type {
  DeliveryJob,
  DeliveryStore,
  DeliveryTarget,
  FetchedDelivery,
  SettledAttempt,
  Subscriber,
} from '../../src/ports/stores/delivery-store.ts'

interface Row {
  readonly jobId: string
  job: DeliveryJob
  dueMs: number
  isActive: boolean
}

export interface MemoryWebhook {
  target: DeliveryTarget
  events: readonly SubscribedEvent[]
  isActive: boolean
  disabledReason: DisabledReason | null
}

type Method = 'relay' | 'fetch' | 'load' | 'settle' | 'putBack' | 'outboxAgeMs'

/**
 * The delivery store with its rules, on maps. `failing` makes methods throw; `settled` keeps the size of each batch.
 */
export class MemoryDeliveries implements DeliveryStore {
  readonly webhooks = new Map<WebhookId, MemoryWebhook>()
  readonly events = new Map<EventId, StoredEvent>()
  readonly rows = new Map<string, Row>()
  readonly logs: DeliveryLog[] = []
  readonly failing = new Set<Method>()
  readonly batches: number[] = []
  readonly excluded: (readonly WebhookId[])[] = []
  putBackCount = 0
  outbox: StoredEvent[] = []
  /** Webhooks that can never be loaded. */
  readonly unloadable = new Set<WebhookId>()
  /** Outcomes that can never be stored. */
  readonly poisonous = new Set<EventId>()
  readonly #clock: Clock
  #jobs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  addWebhook(
    url: string,
    more: Partial<DeliveryTarget> & { readonly events?: readonly SubscribedEvent[] } = {},
  ): DeliveryTarget {
    const { events = ['*'], ...rest } = more
    const target: DeliveryTarget = {
      webhookId: newId('wh'),
      tenantId: newId('ten'),
      numberId: newId('num'),
      url,
      secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
      failingSince: null,
      piiMode: 'STORE_INDEFINITE',
      ...rest,
    }
    this.webhooks.set(target.webhookId, { target, events, isActive: true, disabledReason: null })
    return target
  }

  addEvent(
    to: { readonly tenantId: TenantId; readonly numberId: NumberId },
    data: Record<string, unknown> = {},
  ): StoredEvent {
    const event: StoredEvent = {
      id: newId('evt'),
      event: 'call.ended',
      tenantId: to.tenantId,
      numberId: to.numberId,
      createdAt: new Date(this.#clock.now()),
      data,
    }
    this.events.set(event.id, event)
    this.outbox.push(event)
    return event
  }

  /** Jobs not yet ended, active or not. */
  get open(): Row[] {
    return [...this.rows.values()]
  }

  async relay(
    limit: number,
    match: (event: StoredEvent, subscribers: readonly Subscriber[]) => readonly DeliveryJob[],
  ) {
    await this.#reach('relay')
    const taken = this.outbox.splice(0, limit)
    let queued = 0
    for (const event of taken) {
      const subscribers = [...this.webhooks.values()]
        .filter(({ target, isActive }) => isActive && target.numberId === event.numberId)
        .map(({ target, events }) => ({
          webhookId: target.webhookId,
          tenantId: target.tenantId,
          events,
          provider: 'UNOFFICIAL' as const,
        }))
      for (const job of match(event, subscribers)) {
        this.#queue(job, 0)
        queued++
      }
    }
    return { taken: taken.length, queued }
  }

  async fetch(limit: number, except: readonly WebhookId[]): Promise<FetchedDelivery[]> {
    await this.#reach('fetch')
    this.excluded.push(except)
    const nowMs = this.#clock.monotonicMs()
    const due = this.open
      .filter((row) => !row.isActive && row.dueMs <= nowMs && !except.includes(row.job.webhookId))
      .slice(0, limit)
    for (const row of due) row.isActive = true
    return due.map(({ jobId, job }) => ({ jobId, ...job }))
  }

  async load(deliveries: readonly DeliveryJob[], isPausedToo: boolean = false) {
    await this.#reach('load')
    if (deliveries.some(({ webhookId }) => this.unloadable.has(webhookId))) throw new TypeError('cannot be opened')
    const events = new Map<EventId, StoredEvent>()
    const targets = new Map<WebhookId, DeliveryTarget>()
    for (const { eventId, webhookId } of deliveries) {
      const event = this.events.get(eventId)
      if (event) events.set(eventId, event)
      const webhook = this.webhooks.get(webhookId)
      if (webhook && (webhook.isActive || isPausedToo)) targets.set(webhookId, webhook.target)
    }
    return { events, targets }
  }

  async settle(attempts: readonly SettledAttempt[]): Promise<void> {
    await this.#reach('settle')
    if (attempts.some(({ log }) => log && this.poisonous.has(log.eventId))) throw new Error('cannot be stored')
    this.batches.push(attempts.length)
    for (const { jobId, log, retry, disable } of attempts) {
      if (jobId) this.rows.delete(jobId)
      if (log) this.#note(log, disable)
      if (retry) this.#queue(retry.job, retry.delayMs)
    }
  }

  async keep(event: StoredEvent): Promise<void> {
    this.events.set(event.id, event)
  }

  async putBack(deliveries: readonly FetchedDelivery[]): Promise<void> {
    await this.#reach('putBack')
    this.putBackCount += deliveries.length
    for (const { jobId } of deliveries) {
      const row = this.rows.get(jobId)
      if (row) row.isActive = false
    }
  }

  async enqueue(job: DeliveryJob): Promise<void> {
    this.#queue(job, 0)
  }

  async outboxAgeMs(): Promise<number> {
    await this.#reach('outboxAgeMs')
    const oldest = this.outbox[0]
    return oldest ? this.#clock.now() - oldest.createdAt.getTime() : 0
  }

  purge = async () => 0

  #queue(job: DeliveryJob, delayMs: number): void {
    const jobId = `job${this.#jobs++}`
    this.rows.set(jobId, { jobId, job, dueMs: this.#clock.monotonicMs() + delayMs, isActive: false })
  }

  #note(log: DeliveryLog, disable: DisabledReason | null): void {
    this.logs.push(log)
    const webhook = this.webhooks.get(log.webhookId)
    if (!webhook) return
    const failingSince = log.status === 'SUCCESS' ? null : (webhook.target.failingSince ?? log.createdAt)
    webhook.target = { ...webhook.target, failingSince }
    if (disable) Object.assign(webhook, { isActive: false, disabledReason: disable })
  }

  /** As far away as a database: the answer comes in a later turn. */
  async #reach(method: Method): Promise<void> {
    await Promise.resolve()
    if (this.failing.has(method)) throw new StoreAway('gone')
  }
}

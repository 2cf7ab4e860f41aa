import { bodyOf } from '../../src/domain/envelope.ts'
import type { StoredEvent } from '../../src/domain/events.ts'
import { newId } from '../../src/domain/ids.ts'
import type { EventId, NumberId, TenantId } from '../../src/domain/ids.ts'
import { storableText } from '../../src/domain/storable.ts'
import { StoreAway } from '../../src/domain/store-away.ts'
import type { DeliveryLog, StoredLog, SubscribedEvent, Webhook, WebhookId } from '../../src/domain/webhook.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type {
  DeliveryJob,
  DeliveryStore,
  DeliveryTarget,
  FailedOf,
  FailedRange,
  FetchedDelivery,
  Relayed,
  SettledAttempt,
  Subscriber,
} from '../../src/ports/stores/delivery-store.ts'
import type { MemoryRows } from '../helpers/memory/rows.ts'
import type { MemoryWebhooks } from '../helpers/memory/webhooks.ts'
import type { MemoryQueue } from './memory-queue.ts'

type Method = 'relay' | 'fetch' | 'load' | 'settle' | 'putBack' | 'outboxAgeMs'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** What the nodes of a test share. */
export interface DeliveryParts {
  readonly rows: MemoryRows
  readonly webhooks: MemoryWebhooks
  readonly queue: MemoryQueue
  readonly clock: Clock
}

/**
 * The delivery store of one node in memory, with the rules of the tables. It does not remove deliveries of removed
 * numbers and leads, as the tables do. A method in `failing` throws; `batches` records the size of each batch.
 */
export class MemoryDeliveries implements DeliveryStore {
  readonly failing = new Set<Method>()
  readonly batches: number[] = []
  readonly excluded: (readonly WebhookId[])[] = []
  putBackCount = 0
  /** Deliveries that began without a stay in the queue. */
  begunCount = 0
  /** Webhooks that can never be loaded. */
  readonly unloadable = new Set<WebhookId>()
  /** Events whose outcome can never be stored. */
  readonly poisonous = new Set<EventId>()
  readonly #parts: DeliveryParts
  readonly #node: string

  constructor(parts: DeliveryParts, node: string = 'one') {
    this.#parts = parts
    this.#node = node
  }

  get webhooks(): Map<WebhookId, Webhook> {
    return this.#parts.rows.webhooks
  }

  get logs(): DeliveryLog[] {
    return this.#parts.webhooks.log
  }

  get events(): Map<EventId, StoredEvent> {
    return this.#parts.queue.events
  }

  get outbox(): StoredEvent[] {
    return this.#parts.queue.outbox
  }

  /** Jobs that have not ended, active or not. */
  get open(): MemoryQueue['open'] {
    return this.#parts.queue.open
  }

  /** Adds a webhook, and its number when that is new. */
  addWebhook(
    url: string,
    {
      tenantId = newId('ten'),
      numberId = newId('num'),
      events = ['*'],
    }: {
      readonly tenantId?: TenantId
      readonly numberId?: NumberId
      readonly events?: readonly SubscribedEvent[]
    } = {},
  ): DeliveryTarget {
    const { rows, webhooks, clock } = this.#parts
    if (!rows.numbers.has(numberId)) rows.addNumber({ id: numberId, tenantId })
    const at = new Date(clock.now())
    const webhook = webhooks.put({
      id: newId('wh'),
      tenantId,
      numberId,
      name: null,
      url,
      active: true,
      events,
      lastTriggered: null,
      disabledReason: null,
      createdAt: at,
      updatedAt: at,
    })
    webhooks.secrets.set(webhook.id, [{ secret: SECRET, until: null }])
    return this.#targetOf(webhook)
  }

  addEvent({ numberId }: { readonly numberId: NumberId }, data: Record<string, unknown> = {}): StoredEvent {
    const { rows, clock } = this.#parts
    rows.tell(numberId, [{ event: 'call.ended', data }], clock.now())
    const event = this.outbox.at(-1)
    if (event?.numberId !== numberId) throw new Error('the number of the event does not exist')
    return event
  }

  async relay(
    limit: number,
    match: (event: StoredEvent, subscribers: readonly Subscriber[]) => readonly DeliveryJob[],
    choose: (jobs: readonly DeliveryJob[]) => ReadonlySet<DeliveryJob> = () => new Set(),
  ): Promise<Relayed> {
    await this.#reach('relay')
    const taken = this.outbox.slice(0, limit)
    const jobs = taken.flatMap((event) => match(event, this.#subscribersOf(event)))
    const chosen = choose(jobs)
    this.outbox.splice(0, taken.length)
    const { queue } = this.#parts
    for (const job of jobs) if (!chosen.has(job)) queue.insert(job, 0)
    const begun = [...chosen].map((job) => queue.begin(this.#node, job))
    this.begunCount += begun.length
    return { taken: taken.length, queued: jobs.length - begun.length, begun }
  }

  #subscribersOf({ numberId }: StoredEvent): Subscriber[] {
    const number = this.#parts.rows.numbers.get(numberId)
    if (!number) return []
    return [...this.webhooks.values()]
      .filter((webhook) => webhook.active && webhook.numberId === numberId)
      .map(({ id, tenantId, events }) => ({ webhookId: id, tenantId, events, provider: number.provider }))
  }

  async fetch(limit: number, except: readonly WebhookId[]): Promise<FetchedDelivery[]> {
    await this.#reach('fetch')
    this.excluded.push(except)
    return this.#parts.queue.fetch(this.#node, limit, except)
  }

  async load(deliveries: readonly DeliveryJob[], isPausedToo: boolean = false) {
    await this.#reach('load')
    if (deliveries.some(({ webhookId }) => this.unloadable.has(webhookId))) throw new TypeError('cannot be opened')
    const events = new Map<EventId, StoredEvent>()
    const targets = new Map<WebhookId, DeliveryTarget>()
    for (const { eventId, webhookId, tenantId } of deliveries) {
      const webhook = this.webhooks.get(webhookId)
      if (webhook?.tenantId !== tenantId || !(webhook.active || isPausedToo)) continue
      targets.set(webhookId, this.#targetOf(webhook))
      const event = this.events.get(eventId)
      if (event?.tenantId === tenantId && event.numberId === webhook.numberId) events.set(eventId, event)
    }
    return { events, targets }
  }

  #targetOf({ id, tenantId, numberId, url }: Webhook): DeliveryTarget {
    const { rows, webhooks, clock } = this.#parts
    return {
      webhookId: id,
      tenantId,
      numberId,
      url,
      secrets: (webhooks.secrets.get(id) ?? []).flatMap(({ secret, until }) =>
        until === null || until.getTime() > clock.now() ? [secret] : [],
      ),
      failingSince: webhooks.failingSince.get(id) ?? null,
      piiMode: rows.numbers.get(numberId)?.piiMode ?? 'RELAY_ONLY',
    }
  }

  async settle(attempts: readonly SettledAttempt[]): Promise<void> {
    await this.#reach('settle')
    if (attempts.some(({ log }) => log && (this.poisonous.has(log.eventId) || Number.isNaN(log.statusCode))))
      throw new Error('cannot be stored')
    this.batches.push(attempts.length)
    const logged = attempts.flatMap(({ log, ...attempt }) => (log ? [{ ...attempt, log }] : []))
    for (const { log } of logged) this.#keepLog(log)
    for (const attempt of logged.toSorted((a, b) => a.log.createdAt.getTime() - b.log.createdAt.getTime()))
      this.#noteHealth(attempt)
    const { queue } = this.#parts
    for (const { jobId, retry } of attempts) {
      const isMine = jobId === null || queue.end(jobId)
      if (retry && isMine) queue.insert(retry.job, retry.delayMs)
    }
  }

  /** Keeps a log if its webhook still exists. */
  #keepLog(log: StoredLog): void {
    if (!this.webhooks.has(log.webhookId)) return
    const event = this.events.get(log.eventId)
    const payload = log.payload ?? (event ? bodyOf(event) : '')
    this.logs.push({ ...log, payload: storableText(payload), response: storableText(log.response) })
  }

  #noteHealth({ jobId, log, disable }: SettledAttempt & { readonly log: StoredLog }): void {
    const webhook = this.webhooks.get(log.webhookId)
    if (!webhook) return
    const { failingSince } = this.#parts.webhooks
    const isTest = jobId === null
    if (log.status === 'SUCCESS') failingSince.delete(webhook.id)
    else if (!isTest && !failingSince.has(webhook.id)) failingSince.set(webhook.id, log.createdAt)
    const lastTriggered = new Date(Math.max(webhook.lastTriggered?.getTime() ?? 0, log.createdAt.getTime()))
    const isEnded = disable !== null && webhook.active
    this.#parts.webhooks.put({
      ...webhook,
      lastTriggered,
      ...(isEnded ? { active: false, disabledReason: disable, updatedAt: log.createdAt } : {}),
    })
  }

  async keep(event: StoredEvent): Promise<void> {
    this.events.set(event.id, event)
  }

  async putBack(deliveries: readonly FetchedDelivery[]): Promise<void> {
    await this.#reach('putBack')
    this.putBackCount += deliveries.length
    for (const { jobId } of deliveries) this.#parts.queue.putBack(jobId)
  }

  async enqueue(job: DeliveryJob): Promise<void> {
    this.#parts.queue.insert(job, 0)
  }

  async enqueueFailed({ id, tenantId }: FailedOf, { since, until }: FailedRange, most: number): Promise<number> {
    if (!this.webhooks.get(id)?.active) return 0
    const { queue } = this.#parts
    const inRange = this.logs.filter(
      ({ webhookId, createdAt }) => webhookId === id && createdAt >= since && createdAt <= until,
    )
    const last = new Map(inRange.map((log) => [log.eventId, log]))
    const failed = inRange
      .filter((log) => log.status === 'FAILED' && last.get(log.eventId) === log)
      .filter(({ eventId }) => this.events.has(eventId) && !queue.isUnderWay(id, eventId))
      .slice(0, most)
    for (const { eventId } of failed) queue.insert({ eventId, webhookId: id, tenantId, attempt: 1 }, 0)
    return failed.length
  }

  async outboxAgeMs(): Promise<number> {
    await this.#reach('outboxAgeMs')
    const oldest = this.outbox[0]
    return oldest ? this.#parts.clock.now() - oldest.createdAt.getTime() : 0
  }

  purge = async () => 0

  /** Answers in a later turn, as a database does. */
  async #reach(method: Method): Promise<void> {
    await Promise.resolve()
    if (this.failing.has(method)) throw new StoreAway('gone')
  }
}

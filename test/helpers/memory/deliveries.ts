import type { StoredEvent } from '../../../src/domain/events.ts'
import type { EventId, NodeId } from '../../../src/domain/ids.ts'
import type { StoredLog, WebhookId } from '../../../src/domain/webhook.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type {
  DeliveryJob,
  DeliveryStore,
  DeliveryTarget,
  FetchedDelivery,
  SettledAttempt,
} from '../../../src/ports/stores/delivery-store.ts'
import { storable, type MemoryRows } from './rows.ts'
import type { MemoryWebhooks } from './webhooks.ts'

/** A job that was fetched and not ended for this long comes back, in ms (src/jobs/jobs.ts). */
export const EXPIRE_MS = 60_000

interface QueuedJob {
  readonly job: DeliveryJob
  readonly dueMs: number
  /** The node that tries it; null while it waits. */
  readonly holder: NodeId | null
  /** How often it was fetched: of two nodes that both hold it, the later one ends it. */
  readonly claim: number
  readonly heldUntilMs: number
}

/** Outbox and queue in memory; `of` gives what one node sees of them. */
export class MemoryDeliveries {
  readonly #rows: MemoryRows
  readonly #webhooks: MemoryWebhooks
  readonly #clock: Clock
  /** Events that were stored and not relayed, oldest first. */
  #outbox: StoredEvent[] = []
  readonly #events = new Map<EventId, StoredEvent>()
  readonly #jobs = new Map<number, QueuedJob>()
  #count = 0

  constructor(rows: MemoryRows, webhooks: MemoryWebhooks, clock: Clock) {
    this.#rows = rows
    this.#webhooks = webhooks
    this.#clock = clock
    rows.telling.push((event) => {
      this.#outbox.push(event)
      this.#events.set(event.id, event)
    })
  }

  /** Whether nothing waits to be relayed or tried. */
  get isEmpty(): boolean {
    return this.#outbox.length === 0 && this.#jobs.size === 0
  }

  /** What waits to be done now (src/jobs/jobs.ts). */
  get due(): { readonly events: boolean; readonly deliveries: boolean } {
    return { events: this.#outbox.length > 0, deliveries: this.#due().length > 0 }
  }

  clear(): void {
    this.#outbox = []
    this.#jobs.clear()
  }

  /** Gives back what a node holds, as its next start does. Answers how many jobs that were. */
  recover(node: NodeId): number {
    const own = [...this.#jobs].filter(([, { holder }]) => holder === node)
    for (const [key, held] of own) this.#jobs.set(key, waiting(held))
    return own.length
  }

  of(node: NodeId): DeliveryStore {
    return {
      relay: async (limit, match, choose = () => new Set()) => {
        const taken = this.#outbox.slice(0, limit)
        const jobs = taken.flatMap((event) => match(event, this.#subscribersOf(event)))
        const begun = choose(jobs)
        this.#outbox.splice(0, taken.length)
        const queued = jobs.filter((job) => !begun.has(job))
        for (const job of queued) this.#insert(job, 0)
        return {
          taken: taken.length,
          queued: queued.length,
          begun: [...begun].map((job) => this.#hold(this.#insert(job, 0), node)),
        }
      },
      fetch: async (limit, except) =>
        this.#due()
          .filter(([, { job }]) => !except.includes(job.webhookId))
          .slice(0, limit)
          .map(([key]) => this.#hold(key, node)),
      load: async (deliveries, isPausedToo = false) => this.#load(deliveries, isPausedToo),
      settle: async (attempts) => this.#settle(attempts),
      putBack: async (deliveries) => {
        for (const { jobId } of deliveries) {
          const [key, held] = this.#heldAs(jobId) ?? []
          if (key !== undefined && held) this.#jobs.set(key, waiting(held))
        }
      },
      enqueue: async (job) => void this.#insert(job, 0),
      enqueueFailed: () => Promise.reject(new Error('memory queues nothing again')),
      keep: async (event) => void this.#events.set(event.id, event),
      outboxAgeMs: async () =>
        this.#outbox[0] ? Math.max(0, this.#clock.now() - this.#outbox[0].createdAt.getTime()) : 0,
      purge: async () => 0,
    }
  }

  #subscribersOf({ numberId }: StoredEvent) {
    return [...this.#webhooks.rows.values()]
      .filter((webhook) => webhook.active && webhook.numberId === numberId)
      .flatMap(({ id, tenantId, events }) => {
        const provider = this.#rows.numbers.get(numberId)?.provider
        return provider ? [{ webhookId: id, tenantId, events, provider }] : []
      })
  }

  #insert(job: DeliveryJob, delayMs: number): number {
    const key = ++this.#count
    this.#jobs.set(key, { job, dueMs: this.#clock.now() + delayMs, holder: null, claim: 0, heldUntilMs: 0 })
    return key
  }

  /** Jobs that may be fetched now, oldest first. */
  #due(): [number, QueuedJob][] {
    const nowMs = this.#clock.now()
    return [...this.#jobs].filter(([, { dueMs, heldUntilMs }]) => dueMs <= nowMs && heldUntilMs <= nowMs)
  }

  #hold(key: number, holder: NodeId): FetchedDelivery {
    const queued = this.#jobs.get(key)
    if (!queued) throw new Error('the job is gone')
    const claim = queued.claim + 1
    this.#jobs.set(key, { ...queued, holder, claim, heldUntilMs: this.#clock.now() + EXPIRE_MS })
    return { ...queued.job, jobId: `${key}.${claim}` }
  }

  /** The job, as long as no other node has fetched it since, and it was not given back. */
  #heldAs(jobId: string): [number, QueuedJob] | null {
    const [key = 0, claim] = jobId.split('.').map(Number)
    const queued = this.#jobs.get(key)
    return queued && queued.holder !== null && queued.claim === claim ? [key, queued] : null
  }

  #load(deliveries: readonly DeliveryJob[], isPausedToo: boolean) {
    const events = new Map<EventId, StoredEvent>()
    const targets = new Map<WebhookId, DeliveryTarget>()
    for (const { eventId, webhookId, tenantId } of deliveries) {
      const webhook = this.#webhooks.rows.get(webhookId)
      if (webhook?.tenantId !== tenantId || !(webhook.active || isPausedToo)) continue
      const event = this.#events.get(eventId)
      if (event?.tenantId === tenantId && event.numberId === webhook.numberId) events.set(eventId, event)
      targets.set(webhookId, {
        webhookId,
        tenantId,
        numberId: webhook.numberId,
        url: webhook.url,
        secrets: (this.#webhooks.secrets.get(webhookId) ?? [])
          .filter(({ until }) => until === null || until.getTime() > this.#clock.now())
          .map(({ secret }) => secret),
        failingSince: this.#webhooks.failingSince.get(webhookId) ?? null,
        piiMode: this.#rows.numbers.get(webhook.numberId)?.piiMode ?? 'RELAY_ONLY',
      })
    }
    return { events, targets }
  }

  #settle(attempts: readonly SettledAttempt[]): void {
    if (attempts.some(({ log }) => Number.isNaN(log?.statusCode))) throw new Error('a log cannot be stored')
    for (const { jobId, log, retry, disable } of attempts) {
      if (log) this.#log(log)
      const webhook = log && this.#webhooks.rows.get(log.webhookId)
      if (webhook && disable) this.#webhooks.put({ ...webhook, active: false, disabledReason: disable })
      const [key] = (jobId === null ? null : this.#heldAs(jobId)) ?? []
      if (key !== undefined) this.#jobs.delete(key)
      if (retry && (jobId === null || key !== undefined)) this.#insert(retry.job, retry.delayMs)
    }
  }

  #log(log: StoredLog): void {
    const webhook = this.#webhooks.rows.get(log.webhookId)
    if (!webhook) return
    const { failingSince } = this.#webhooks
    if (log.status === 'SUCCESS') failingSince.delete(webhook.id)
    else if (!failingSince.has(webhook.id)) failingSince.set(webhook.id, log.createdAt)
    this.#webhooks.put({ ...webhook, lastTriggered: log.createdAt })
    this.#rows.use(webhook.numberId, 'deliveries.attempts')
    this.#webhooks.log.push(storable({ ...log, payload: log.payload ?? '' }))
  }
}

function waiting(held: QueuedJob): QueuedJob {
  return { ...held, holder: null, heldUntilMs: 0 }
}

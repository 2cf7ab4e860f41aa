import type { TenantId } from '../domain/ids.ts'
import { Tally } from '../domain/tally.ts'
import type { WebhookId } from '../domain/webhook.ts'
import type { DeliveryJob, FetchedDelivery } from '../ports/stores/delivery-store.ts'
import { CLOSED, ended, mayStart, started, unprobed } from './breaker.ts'
import type { Breaker, BreakerRules } from './breaker.ts'
import type { Limits } from './limits.ts'

/**
 * Our choice: a fetched job waits here for a place at most this long. The queue's own expiry must be longer than this
 * and a try together.
 */
const HOLD_MS = 5_000
/** Our choice: most jobs that a node holds; each is only a few ids, some 400 bytes. */
const ROOM = 20_000
/**
 * Our choice: with TENANT_ENOUGH jobs of a tenant waiting here no more are fetched for it. New ones still begin here,
 * as many as a node delivers within HOLD_MS; jobs beyond TENANT_ROOM go back.
 */
const TENANT_ENOUGH = 500
const TENANT_ROOM = ROOM / 2
/** Our choice: a webhook whose oldest try has run this long is slow, and nothing is fetched ahead for it. */
const SLOW_MS = 1_000
/**
 * Our choice: a webhook whose jobs were given back is left out of fetches for this long, so that jobs do not go round
 * in circles.
 */
const PARKED_MS = 1_000

/** A delivery under way. */
export interface Flight {
  readonly job: FetchedDelivery
  readonly isProbe: boolean
  /** When the delivery was sent, in monotonic ms. Between taking the place and sending, its target is loaded. */
  startMs: number
}

interface Endpoint {
  readonly webhookId: WebhookId
  readonly tenantId: TenantId
  waiting: { readonly job: FetchedDelivery; readonly sinceMs: number }[]
  readonly flights: Set<Flight>
  breaker: Breaker
  parkedUntilMs: number
}

/**
 * The jobs that this node has fetched and may not start yet, by webhook, with the state of each webhook. Its list of
 * webhooks that must not be fetched keeps a slow, dead or greedy one from filling it.
 */
export class WaitingRoom {
  readonly #limits: Limits
  readonly #rules: BreakerRules
  readonly #endpoints = new Map<WebhookId, Endpoint>()
  readonly #waitingByTenant = new Tally<TenantId>()
  #waiting = 0

  constructor(limits: Limits, rules: BreakerRules) {
    this.#limits = limits
    this.#rules = rules
  }

  get waiting(): number {
    return this.#waiting
  }

  get free(): number {
    return Math.max(0, ROOM - this.#waiting)
  }

  get openBreakers(): number {
    return [...this.#endpoints.values()].filter(({ breaker }) => breaker.state !== 'closed').length
  }

  /**
   * Chooses new deliveries that may wait here at once, without a stay in the queue: as many as the node and their
   * tenants have room for, of webhooks that may start and are not stuck.
   */
  choose(jobs: readonly DeliveryJob[], nowMs: number): ReadonlySet<DeliveryJob> {
    const chosen = new Set<DeliveryJob>()
    const byTenant = new Tally<TenantId>()
    for (const job of jobs) {
      if (chosen.size >= this.free || !this.#mayBegin(job.webhookId, nowMs)) continue
      if (this.#waitingByTenant.of(job.tenantId) + byTenant.of(job.tenantId) >= TENANT_ROOM) continue
      byTenant.add(job.tenantId, 1)
      chosen.add(job)
    }
    return chosen
  }

  #mayBegin(webhookId: WebhookId, nowMs: number): boolean {
    const endpoint = this.#endpoints.get(webhookId)
    return endpoint === undefined || !this.#isHeld(endpoint, nowMs)
  }

  add(jobs: readonly FetchedDelivery[], nowMs: number): void {
    for (const job of jobs) {
      this.#endpoint(job).waiting.push({ job, sinceMs: nowMs })
      this.#count(job.tenantId, 1)
    }
  }

  /** Takes jobs that may start now, one from each webhook in turn; each has its place. */
  takeStartable(nowMs: number): Flight[] {
    const flights: Flight[] = []
    let turn = [...this.#endpoints.values()].filter((endpoint) => endpoint.waiting.length > 0)
    while (turn.length > 0 && !this.#limits.isFull) {
      turn = turn.filter((endpoint) => {
        const flight = this.#takeOne(endpoint, nowMs)
        if (flight) flights.push(flight)
        return flight !== null && endpoint.waiting.length > 0
      })
    }
    return flights
  }

  #takeOne(endpoint: Endpoint, nowMs: number): Flight | null {
    const next = endpoint.waiting[0]
    if (!next || !mayStart(endpoint.breaker, nowMs)) return null
    if (!this.#limits.take(endpoint.webhookId, endpoint.tenantId)) return null
    endpoint.waiting.shift()
    this.#count(endpoint.tenantId, -1)
    const flight = { job: next.job, isProbe: endpoint.breaker.state === 'open', startMs: nowMs }
    endpoint.breaker = started(endpoint.breaker)
    endpoint.flights.add(flight)
    // A webhook that had its turn goes to the end, so that no place depends on which came first.
    this.#endpoints.delete(endpoint.webhookId)
    this.#endpoints.set(endpoint.webhookId, endpoint)
    return flight
  }

  /** Frees the place of a delivery. `isSuccess` is null when nothing was sent. */
  end(flight: Flight, isSuccess: boolean | null, nowMs: number): void {
    const { job, isProbe } = flight
    const endpoint = this.#endpoint(job)
    if (!endpoint.flights.delete(flight)) return
    this.#limits.give(job.webhookId, job.tenantId)
    if (isSuccess !== null) endpoint.breaker = ended(endpoint.breaker, isSuccess, isProbe, nowMs, this.#rules)
    else if (isProbe) endpoint.breaker = unprobed(endpoint.breaker, nowMs)
    this.#forgetIfIdle(endpoint, nowMs)
  }

  /** Forgets the breaker of a webhook that is gone or switched off: it starts closed when the webhook returns. */
  forget(webhookId: WebhookId): void {
    const endpoint = this.#endpoints.get(webhookId)
    if (!endpoint) return
    endpoint.breaker = CLOSED
    if (endpoint.flights.size === 0 && endpoint.waiting.length === 0) this.#endpoints.delete(webhookId)
  }

  /** Webhooks whose jobs should not be fetched now. */
  excluded(nowMs: number): WebhookId[] {
    return [...this.#endpoints.values()]
      .filter((endpoint) => this.#isExcluded(endpoint, nowMs))
      .map(({ webhookId }) => webhookId)
  }

  /** True when a webhook has few jobs here and may have more in the queue. */
  isHungry(webhookId: WebhookId, nowMs: number): boolean {
    const endpoint = this.#endpoints.get(webhookId)
    return endpoint === undefined || !this.#isExcluded(endpoint, nowMs)
  }

  #isExcluded(endpoint: Endpoint, nowMs: number): boolean {
    if (this.#isHeld(endpoint, nowMs) || endpoint.waiting.length >= this.#limits.rules.endpoint) return true
    const { tenantId } = endpoint
    const enough = this.#limits.isTenantFull(tenantId) ? this.#limits.share(tenantId) : TENANT_ENOUGH
    return this.#waitingByTenant.of(tenantId) >= enough
  }

  /** True while none of a webhook's jobs should come here: it may not start, gave jobs back, or is stuck. */
  #isHeld(endpoint: Endpoint, nowMs: number): boolean {
    return !mayStart(endpoint.breaker, nowMs) || nowMs < endpoint.parkedUntilMs || this.#isStuck(endpoint, nowMs)
  }

  #isStuck(endpoint: Endpoint, nowMs: number): boolean {
    const [oldest] = endpoint.flights
    return oldest !== undefined && this.#limits.isWebhookFull(endpoint.webhookId) && nowMs - oldest.startMs > SLOW_MS
  }

  /**
   * Takes out the jobs that have to go back to the queue: those of webhooks that may not start, are stuck or have too
   * many, and those that waited too long.
   */
  takeOverdue(nowMs: number): FetchedDelivery[] {
    const overdue: FetchedDelivery[] = []
    for (const endpoint of this.#endpoints.values()) {
      if (endpoint.waiting.length > 0) overdue.push(...this.#takeOverdueOf(endpoint, nowMs))
      this.#forgetIfIdle(endpoint, nowMs)
    }
    return overdue
  }

  #takeOverdueOf(endpoint: Endpoint, nowMs: number): FetchedDelivery[] {
    const { waiting } = endpoint
    const fresh = waiting.filter(({ sinceMs }) => nowMs - sinceMs < HOLD_MS)
    endpoint.waiting = mayStart(endpoint.breaker, nowMs) ? fresh.slice(0, this.#keep(endpoint, nowMs)) : []
    const kept = new Set(endpoint.waiting)
    const gone = waiting.filter((item) => !kept.has(item)).map(({ job }) => job)
    this.#count(endpoint.tenantId, -gone.length)
    if (gone.length > 0) endpoint.parkedUntilMs = nowMs + PARKED_MS
    return gone
  }

  /** How many jobs of a webhook may stay: one round more when it is stuck, else as many as its tenant has room for. */
  #keep(endpoint: Endpoint, nowMs: number): number {
    if (this.#isStuck(endpoint, nowMs)) return this.#limits.rules.endpoint
    const tooMany = Math.max(0, this.#waitingByTenant.of(endpoint.tenantId) - TENANT_ROOM)
    return Math.max(0, endpoint.waiting.length - tooMany)
  }

  /** Empties the room (shutdown). */
  drain(): FetchedDelivery[] {
    const all = [...this.#endpoints.values()].flatMap(({ waiting }) => waiting.splice(0).map(({ job }) => job))
    this.#waitingByTenant.clear()
    this.#waiting = 0
    return all
  }

  #endpoint({ webhookId, tenantId }: FetchedDelivery): Endpoint {
    const known = this.#endpoints.get(webhookId)
    if (known) return known
    const endpoint: Endpoint = {
      webhookId,
      tenantId,
      waiting: [],
      flights: new Set(),
      breaker: CLOSED,
      parkedUntilMs: -Infinity,
    }
    this.#endpoints.set(webhookId, endpoint)
    return endpoint
  }

  /** Forgets an idle webhook, unless its tenant has jobs here: only a known webhook can be left out of a fetch. */
  #forgetIfIdle(endpoint: Endpoint, nowMs: number): void {
    const isIdle = endpoint.waiting.length === 0 && endpoint.flights.size === 0 && nowMs >= endpoint.parkedUntilMs
    const isHealthy = endpoint.breaker.state === 'closed' && endpoint.breaker.failures === 0
    if (isIdle && isHealthy && this.#waitingByTenant.of(endpoint.tenantId) === 0)
      this.#endpoints.delete(endpoint.webhookId)
  }

  #count(tenantId: TenantId, by: number): void {
    this.#waiting += by
    this.#waitingByTenant.add(tenantId, by)
  }
}

import type { EventId } from '../domain/ids.ts'
import type { WebhookId } from '../domain/webhook.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import { NO_TRACES, type Traces } from '../ports/traces.ts'
import type { DeliveryJob, DeliveryTarget, FetchedDelivery, SettledAttempt } from '../ports/stores/delivery-store.ts'
import type { BreakerRules } from './breaker.ts'
import { deliver, retryOf } from './deliver.ts'
import type { Delivered } from './deliver.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import { makeEnvelope } from './envelope.ts'
import type { Deliverable } from '../domain/envelope.ts'
import type { Envelope } from './envelope.ts'
import { Limits } from './limits.ts'
import type { LimitRules } from './limits.ts'
import { loadDeliveries, type Loading } from './loading.ts'
import { Loop } from './loop.ts'
import { nextDelayMs } from './schedule.ts'
import type { RetrySchedule } from './schedule.ts'
import { Settlement, type SettlementDeps } from './settlement.ts'
import { WaitingRoom } from './waiting-room.ts'
import type { Flight } from './waiting-room.ts'

export interface SenderDeps extends SettlementDeps {
  readonly fetchUrl: GuardedFetch
  readonly metrics: DeliveryMetrics
  /** Default: nothing is recorded. */
  readonly traces?: Traces
  readonly schedule: RetrySchedule
  readonly random: () => number
  readonly breaker: BreakerRules
  readonly limits: LimitRules
  readonly attemptMs: number
  /** Called when the sender can use more jobs than it holds. */
  readonly hungry: () => void
}

/** Our choice: a shutdown waits this long for tries under way, then aborts them; their jobs go back. */
const FINISH_MS = 5_000
/** Our choice: a shutdown then waits this long for the store to take the last outcomes. */
const LAST_SETTLE_MS = 5_000
/** Our choice: while outcomes pile up, the sender looks at the store again after this. */
const BEHIND_MS = 100

/** Our choice: with this many jobs waiting on the node a fetch only looks for webhooks that have none waiting. */
export const STOCK = 500
/**
 * Our choice: least ms between two loads. Under load the targets of many deliveries are read at once, and a delivery
 * to an idle node waits for nothing.
 */
const GATHER_MS = 5

/** Starts fetched jobs as places come free, and hands every outcome to the settlement. */
export class Sender {
  readonly #deps: SenderDeps
  readonly #limits: Limits
  readonly #room: WaitingRoom
  readonly #settlement: Settlement
  readonly #loop: Loop
  readonly #abort = new AbortController()
  readonly #running = new Set<Promise<void>>()
  /** The last fetch may have left due jobs behind in the queue. True until there was one. */
  #isMoreLikely = true
  /** Webhooks whose jobs the last fetch left in the queue. */
  #passedOver: readonly WebhookId[] = []

  constructor(deps: SenderDeps) {
    this.#deps = deps
    this.#limits = new Limits(deps.limits)
    this.#room = new WaitingRoom(this.#limits, deps.breaker)
    this.#settlement = new Settlement(deps)
    this.#loop = new Loop({
      clock: deps.clock,
      step: () => this.#startSome(),
      gatherMs: GATHER_MS,
      onError: (error) =>
        deps.log.error({ error: String(error) }, 'deliveries could not be loaded; they went back to the queue'),
    })
  }

  /** Gives overdue jobs back and answers how many more may be fetched; 0 while outcomes pile up. */
  makeRoom(): number {
    this.#settlement.giveBack(this.#room.takeOverdue(this.#deps.clock.monotonicMs()))
    this.#deps.metrics.openBreakers(this.#room.openBreakers)
    return this.#settlement.isBehind ? 0 : this.#room.free
  }

  /** Fetched jobs that have no place yet. */
  get waiting(): number {
    return this.#room.waiting
  }

  /** Webhooks whose jobs should not be fetched now. */
  excluded(): WebhookId[] {
    return this.#room.excluded(this.#deps.clock.monotonicMs())
  }

  /**
   * Chooses the new deliveries that are tried without a stay in the queue: as many as there is room for, of webhooks
   * that may start, and none while others wait in the queue before them.
   */
  choose(jobs: readonly DeliveryJob[]): ReadonlySet<DeliveryJob> {
    if (this.#isMoreLikely || this.#settlement.isBehind) return new Set()
    const passedOver = new Set(this.#passedOver)
    return this.#room.choose(
      jobs.filter(({ webhookId }) => !passedOver.has(webhookId)),
      this.#deps.clock.monotonicMs(),
    )
  }

  /** Takes what a fetch of at most `limit` jobs brought, which left out those of `except`. */
  fetched(
    jobs: readonly FetchedDelivery[],
    { limit, except }: { readonly limit: number; readonly except: readonly WebhookId[] },
  ): void {
    this.#isMoreLikely = jobs.length >= limit
    this.#passedOver = except
    this.add(jobs)
  }

  /** Takes deliveries that this node is to make. */
  add(jobs: readonly FetchedDelivery[]): void {
    if (jobs.length === 0) return
    this.#room.add(jobs, this.#deps.clock.monotonicMs())
    this.#loop.wake()
  }

  /** Stops: starts nothing more, waits up to 5 s for tries under way, and gives back the jobs that did not begin. */
  async stop(): Promise<void> {
    const { clock } = this.#deps
    await this.#loop.stop()
    this.#settlement.giveBack(this.#room.drain())
    const timer = clock.after(FINISH_MS, () => this.#abort.abort())
    await Promise.all(this.#running)
    timer.cancel()
    await this.#settlement.stop(clock, LAST_SETTLE_MS)
  }

  /**
   * Starts jobs that have a place. Targets are loaded now and not when fetched, so that a pause or a removal holds at
   * once.
   */
  async #startSome(): Promise<number> {
    const { clock } = this.#deps
    if (this.#settlement.isBehind) return BEHIND_MS
    const flights = this.#room.takeStartable(clock.monotonicMs())
    if (flights.length === 0) return Infinity
    const { events, targets, aside } = await this.#load(flights)
    const envelopes = new Map<EventId, Envelope>()
    for (const flight of flights) if (aside.has(flight.job)) this.#leave(flight)
    for (const flight of flights)
      if (!aside.has(flight.job))
        this.#begin(flight, events.get(flight.job.eventId), targets.get(flight.job.webhookId), envelopes)
    if (flights.some(({ job }) => this.#isWanting(job.webhookId))) this.#deps.hungry()
    return Infinity
  }

  async #load(flights: readonly Flight[]): Promise<Loading> {
    const jobs = flights.map(({ job }) => job)
    try {
      return await loadDeliveries(this.#deps, jobs)
    } catch (error) {
      for (const flight of flights) this.#end(flight, null)
      this.#settlement.giveBack(jobs)
      throw error
    }
  }

  /** Ends the job of a delivery that was set aside. */
  #leave(flight: Flight): void {
    this.#end(flight, null)
    this.#deps.metrics.ended('not_sent')
    this.#settlement.add({ jobId: flight.job.jobId, log: null, retry: null, disable: null })
  }

  #isWanting(webhookId: WebhookId): boolean {
    return this.#isMoreLikely && this.#room.isHungry(webhookId, this.#deps.clock.monotonicMs())
  }

  #begin(
    flight: Flight,
    event: Deliverable | undefined,
    target: DeliveryTarget | undefined,
    envelopes: Map<EventId, Envelope>,
  ): void {
    const { metrics } = this.#deps
    if (!event || !target) {
      this.#end(flight, null)
      if (!target) this.#room.forget(flight.job.webhookId)
      metrics.ended('not_sent')
      this.#settlement.add({ jobId: flight.job.jobId, log: null, retry: null, disable: null })
      return
    }
    const running = this.#run(flight, event, target, envelopes)
    this.#running.add(running)
    void running.finally(() => this.#running.delete(running))
    metrics.inFlight(this.#limits.total)
  }

  async #run(
    flight: Flight,
    event: Deliverable,
    target: DeliveryTarget,
    envelopes: Map<EventId, Envelope>,
  ): Promise<void> {
    const { fetchUrl, clock, log, traces = NO_TRACES, metrics, attemptMs } = this.#deps
    const { job } = flight
    flight.startMs = clock.monotonicMs()
    if (job.attempt === 1) metrics.firstTry(clock.now() - event.createdAt.getTime())
    try {
      const envelope = envelopes.get(event.id) ?? makeEnvelope(event)
      envelopes.set(event.id, envelope)
      const delivered = await deliver(
        { fetchUrl, clock, log, traces, totalMs: attemptMs },
        { event, envelope, target, attempt: job.attempt, signal: this.#abort.signal },
      )
      if (delivered.outcome.isAborted) this.#giveUp(flight)
      else this.#settle(flight, delivered)
    } catch (error) {
      // Only a fault of the gateway comes here. The try counts, because otherwise the job would repeat for ever.
      log.error({ webhookId: job.webhookId, error: String(error) }, 'delivery failed before it was sent')
      this.#end(flight, null)
      this.#settlement.add({
        jobId: job.jobId,
        log: null,
        retry: this.#retry(flight, { statusCode: 0, isTimeout: false, retryAfterMs: null }),
        disable: null,
      })
    }
  }

  #giveUp(flight: Flight): void {
    this.#end(flight, null)
    this.#settlement.giveBack([flight.job])
  }

  #settle(flight: Flight, { outcome, stored: log, disable }: Delivered): void {
    const { metrics } = this.#deps
    const isSuccess = outcome.status === 'SUCCESS'
    const retry = isSuccess || disable ? null : this.#retry(flight, outcome)
    this.#end(flight, isSuccess)
    metrics.ended(isSuccess ? 'success' : retry ? 'failed' : 'given_up')
    if (disable) metrics.disabled(disable)
    this.#settlement.add({ jobId: flight.job.jobId, log, retry, disable })
  }

  #retry(
    { job }: Flight,
    failed: { statusCode: number; isTimeout: boolean; retryAfterMs: number | null },
  ): SettledAttempt['retry'] {
    const delayMs = nextDelayMs(this.#deps.schedule, { ...failed, attempt: job.attempt }, this.#deps.random)
    return delayMs === null ? null : retryOf(job, delayMs)
  }

  #end(flight: Flight, isSuccess: boolean | null): void {
    this.#room.end(flight, isSuccess, this.#deps.clock.monotonicMs())
    this.#deps.metrics.inFlight(this.#limits.total)
    this.#loop.wake()
  }
}

import { chance } from '../domain/randomness.ts'
import { unlessAway } from '../domain/store-away.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Traces } from '../ports/traces.ts'
import type { DeliveryStore } from '../ports/stores/delivery-store.ts'
import type { SetAsideStore } from '../ports/stores/set-aside-store.ts'
import { ATTEMPT_TOTAL_MS } from './attempt.ts'
import { DEFAULT_BREAKER } from './breaker.ts'
import type { BreakerRules } from './breaker.ts'
import { createDeliveryMetrics } from './delivery-metrics.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { LimitRules } from './limits.ts'
import { Loop } from './loop.ts'
import { Relaying } from './relaying.ts'
import { DEFAULT_SCHEDULE } from './schedule.ts'
import type { RetrySchedule } from './schedule.ts'
import { Sender, STOCK } from './sender.ts'

export interface DispatcherDeps {
  readonly deliveries: DeliveryStore
  readonly setAside: Pick<SetAsideStore, 'outboxHead' | 'note'>
  readonly fetchUrl: GuardedFetch
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Default: nothing is recorded. */
  readonly traces?: Traces
  /** How often the tables are looked at without being woken. Default `POLL_MS`. */
  readonly pollMs?: number
  /** Default `DEFAULT_SCHEDULE`. */
  readonly schedule?: RetrySchedule
  /** Gives [0, 1). Default `chance`. */
  readonly random?: () => number
  readonly breaker?: BreakerRules
  readonly limits?: LimitRules
  /** Limit of one try in ms. Default 15 s ([webhooks.delivery.6]). */
  readonly attemptMs?: number
}

/** Delivers stored events to webhooks for as long as it runs. */
export interface Dispatcher {
  start(): void
  /**
   * Called after events were stored, so that they go out now and not at the next poll. Calling it often costs little.
   */
  wake(): void
  /** Called when events wait that nobody announced. */
  wakeLate(): void
  /** Called when deliveries are due, and after a delivery was queued that belongs to no new event. */
  wakeQueue(): void
  /** Stops the loops: tries under way get 5 s to finish, and jobs that have not begun go back. Idempotent. */
  stop(): Promise<void>
}

/** Our choice: how many jobs a fetch takes. */
const FETCH_JOBS = 250
/**
 * Our choice: with STOCK jobs waiting on the node a fetch takes fewer, because a webhook unknown to the node cannot be
 * left out and may fill the whole fetch, and it is in no hurry.
 */
const FETCH_JOBS_STOCKED = 50
const STOCKED_MS = 25
/**
 * Our choice: how often the tables are looked at without a wake-up. This finds later retries and what a killed node
 * left. What is stored here, and retries that fall due sooner, wake the loops. A gateway looks at the tables in its
 * common look, and wakes the loops then.
 */
export const POLL_MS = 1_000
/**
 * Our choice: the pause between two looks for due deliveries while some are about to come, or webhooks wait for their
 * breaker.
 */
const BUSY_MS = 250
/**
 * Our choice: a retry of this node is looked for this long after it is due by the node's clock. It is stored with a
 * delay, which the database counts from a slightly later moment.
 */
const DUE_MS = 20
/**
 * Our choice: events of this many ms share a relay transaction; far below the target of 50 ms from commit to first
 * byte.
 */
const GATHER_MS = 5
/** Our choice: how often the age of the outbox is read while something waits in it. */
const AGE_MS = 5_000

/**
 * Makes the delivering side of a node: three loops that wake each other. The relay hands new deliveries to the sender,
 * or puts them into the queue while others wait there before them. The fetch brings due jobs of the queue to this node,
 * and the sender starts what has a place. A store that fails is tried again with growing pauses. What was not settled
 * comes back when it expires, so an event may arrive twice but is never lost.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { deliveries, clock, log, pollMs = POLL_MS } = deps
  const metrics = createDeliveryMetrics(deps.metrics)
  const sender = new Sender({
    ...deps,
    metrics,
    schedule: deps.schedule ?? DEFAULT_SCHEDULE,
    random: deps.random ?? chance,
    breaker: deps.breaker ?? DEFAULT_BREAKER,
    limits: deps.limits ?? DEFAULT_LIMITS,
    attemptMs: deps.attemptMs ?? ATTEMPT_TOTAL_MS,
    hungry: () => fetch.wake(),
    retried: (delayMs) => fetch.wake(delayMs + DUE_MS),
  })
  const relaying = new Relaying({ ...deps, choose: (jobs) => sender.choose(jobs), counted: metrics.handedOver })
  const failed = (message: string) => (error: unknown) =>
    unlessAway(error, () => log.error({ error: String(error) }, message))

  const relay = new Loop({
    clock,
    gatherMs: GATHER_MS,
    async step() {
      const { hasMore, queued, begun } = await relaying.turn()
      sender.add(begun)
      if (queued > 0) fetch.wake()
      return hasMore ? 0 : pollMs
    },
    onError: failed('events could not be handed to the queue; will be tried again'),
  })
  let hasLooked = false
  const fetch = new Loop({
    clock,
    async step() {
      const pauseMs = await fetchSome(deliveries, sender, pollMs)
      // Until the queue was looked at once, new events would have to stand in it.
      if (!hasLooked) relay.wake()
      hasLooked = true
      return pauseMs
    },
    onError: failed('due deliveries could not be fetched; will be tried again'),
  })
  const age = new Loop({
    clock,
    gatherMs: AGE_MS,
    async step() {
      const ageMs = await deliveries.outboxAgeMs()
      metrics.outboxAge(ageMs)
      return ageMs > 0 ? AGE_MS : Math.max(AGE_MS, pollMs)
    },
    onError: failed('the age of the outbox could not be read'),
  })
  let stopping: Promise<void> | null = null
  return {
    start() {
      for (const loop of [age, fetch]) loop.wake()
    },
    wake: () => relay.wake(),
    wakeLate() {
      age.wake()
      relay.wake()
    },
    wakeQueue: () => fetch.wake(),
    stop() {
      stopping ??= Promise.all([relay, fetch, age].map((loop) => loop.stop())).then(() => sender.stop())
      return stopping
    },
  }
}

/** Fetches due jobs for which the sender has room, and answers after how many ms to look again. */
async function fetchSome(deliveries: Pick<DeliveryStore, 'fetch'>, sender: Sender, pollMs: number): Promise<number> {
  const room = sender.makeRoom()
  if (room === 0) return BUSY_MS
  const isStocked = sender.waiting >= STOCK
  const limit = Math.min(isStocked ? FETCH_JOBS_STOCKED : FETCH_JOBS, room)
  const except = sender.excluded()
  const jobs = await deliveries.fetch(limit, except)
  sender.fetched(jobs, { limit, except })
  if (jobs.length >= limit) return isStocked ? STOCKED_MS : 0
  return jobs.length + except.length > 0 ? BUSY_MS : pollMs
}

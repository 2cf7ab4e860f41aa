import type { Broadcast } from '../ports/broadcast.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { RateDecision, RateLimiter } from '../ports/rate-limiter.ts'
import { canTake, decide, tokensMs } from './token-bucket.ts'

/** our choice: full buckets are dropped when this many are held, and again each time the number doubles. */
const SWEEP_AT = 10_000

/** Topics within this process. A listener that throws is logged and does not affect the others. */
export class LocalBroadcast implements Broadcast {
  #log: Log
  #listeners = new Map<string, ((text: string) => void)[]>()

  constructor(log: Log) {
    this.#log = log
  }

  async publish(topic: string, text: string): Promise<void> {
    this.deliver(topic, text)
  }

  subscribe(topic: string, listener: (text: string) => void): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener])
  }

  /** Calls the listeners of a topic, in order of subscription. */
  deliver(topic: string, text: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        listener(text)
      } catch (error) {
        this.#log.error({ topic, error: error instanceof Error ? error.name : 'unknown' }, 'broadcast listener failed')
      }
    }
  }
}

/** Token buckets of this process alone. */
export class LocalRateLimiter implements RateLimiter {
  #clock: Clock
  /** Bucket -> monotonic ms at which it is full again. */
  #fullAt = new Map<string, number>()
  #sweepAt = SWEEP_AT

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async take(bucket: string, perMinute: number, tokens = 1): Promise<RateDecision> {
    const debtMs = this.#debtMs(bucket)
    if (!canTake(debtMs, perMinute, tokens)) return decide(false, debtMs, perMinute, tokens)
    const spentMs = debtMs + tokensMs(perMinute, tokens)
    this.#fullAt.set(bucket, this.#clock.monotonicMs() + spentMs)
    this.#sweep()
    return decide(true, spentMs, perMinute)
  }

  async peek(bucket: string, perMinute: number): Promise<RateDecision> {
    const debtMs = this.#debtMs(bucket)
    return decide(canTake(debtMs, perMinute), debtMs, perMinute)
  }

  /** Buckets held in memory. */
  get size(): number {
    return this.#fullAt.size
  }

  #debtMs(bucket: string): number {
    return Math.max(0, (this.#fullAt.get(bucket) ?? 0) - this.#clock.monotonicMs())
  }

  #sweep(): void {
    if (this.#fullAt.size < this.#sweepAt) return
    const nowMs = this.#clock.monotonicMs()
    for (const [bucket, fullAt] of this.#fullAt) {
      if (fullAt <= nowMs) this.#fullAt.delete(bucket)
    }
    this.#sweepAt = Math.max(SWEEP_AT, this.#fullAt.size * 2)
  }
}

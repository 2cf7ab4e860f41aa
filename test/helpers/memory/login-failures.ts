import type { FailureLimit } from '../../../src/domain/user.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { LoginFailureStore, NotedFailure } from '../../../src/ports/stores/login-failure-store.ts'

/** Failed logins in memory, oldest first. */
export class MemoryLoginFailures implements LoginFailureStore {
  readonly #buckets = new Map<string, { readonly failedAt: readonly Date[]; readonly endsAtMs: number }>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async note(bucket: string, limits: readonly FailureLimit[]): ReturnType<LoginFailureStore['note']> {
    const nowMs = this.#clock.now()
    const all = this.#buckets.get(bucket)?.failedAt ?? []
    const waits = limits.flatMap(({ most, withinMs }) => {
      const counted = all.filter((at) => at.getTime() > nowMs - withinMs)
      return counted.length < most ? [] : (counted.at(-most)?.getTime() ?? nowMs) + withinMs - nowMs
    })
    if (waits.length > 0) return { noted: null, retryAfterMs: Math.max(...waits) }
    const at = new Date(nowMs)
    this.#buckets.set(bucket, {
      failedAt: [...all, at],
      endsAtMs: nowMs + Math.max(...limits.map(({ withinMs }) => withinMs)),
    })
    return { noted: { bucket, at } }
  }

  async takeBack({ bucket, at }: NotedFailure): Promise<void> {
    const kept = this.#buckets.get(bucket)
    const index = kept?.failedAt.findIndex((one) => one.getTime() === at.getTime())
    if (kept) this.#buckets.set(bucket, { ...kept, failedAt: kept.failedAt.filter((_, place) => place !== index) })
  }

  async purge(): Promise<number> {
    const over = [...this.#buckets].filter(([, { endsAtMs }]) => endsAtMs <= this.#clock.now())
    for (const [bucket] of over) this.#buckets.delete(bucket)
    return over.length
  }
}

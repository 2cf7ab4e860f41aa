import { LOGIN_WINDOW_MS } from '../../../src/domain/user.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { LoginFailureStore, NotedFailure } from '../../../src/ports/stores/login-failure-store.ts'

/** Failed logins in memory, oldest first. */
export class MemoryLoginFailures implements LoginFailureStore {
  readonly #buckets = new Map<string, Date[]>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async note(bucket: string, most: number): ReturnType<LoginFailureStore['note']> {
    const nowMs = this.#clock.now()
    const counted = (this.#buckets.get(bucket) ?? []).filter((at) => at.getTime() > nowMs - LOGIN_WINDOW_MS)
    const freeing = counted.at(-most)
    if (counted.length >= most && freeing) return { noted: null, retryAfterMs: freeing.getTime() + LOGIN_WINDOW_MS - nowMs }
    const at = new Date(nowMs)
    this.#buckets.set(bucket, [...counted, at])
    return { noted: { bucket, at } }
  }

  async takeBack({ bucket, at }: NotedFailure): Promise<void> {
    const all = this.#buckets.get(bucket) ?? []
    const index = all.findIndex((one) => one.getTime() === at.getTime())
    this.#buckets.set(bucket, all.filter((_, place) => place !== index))
  }

  async purge(): Promise<number> {
    const over = [...this.#buckets].filter(([, all]) => (all.at(-1)?.getTime() ?? 0) <= this.#clock.now() - LOGIN_WINDOW_MS)
    for (const [bucket] of over) this.#buckets.delete(bucket)
    return over.length
  }
}

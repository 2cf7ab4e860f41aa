import { WARNING_INTERVAL_MS } from './protocol.ts'
import type { Clock } from '../../src/ports/clock.ts'

/**
 * Thins repeated warnings: the first of a code at once, then at most one per 10 s with the count
 * of those it stands for ([realtime.server-messages.11]).
 */
export class WarningThrottle {
  readonly #clock: Clock
  readonly #kinds = new Map<string, { toldAtMs: number; held: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Answers how many occurrences to tell of now; 0: none. */
  count(code: string): number {
    const nowMs = this.#clock.monotonicMs()
    const kind = this.#kinds.get(code)
    if (!kind) {
      this.#kinds.set(code, { toldAtMs: nowMs, held: 0 })
      return 1
    }
    kind.held++
    if (nowMs - kind.toldAtMs < WARNING_INTERVAL_MS) return 0
    const { held } = kind
    kind.held = 0
    kind.toldAtMs = nowMs
    return held
  }
}

import { WARNING_INTERVAL_MS } from './protocol.ts'
import type { Clock } from '../../src/ports/clock.ts'

/**
 * Thins repeated warnings: the first of a code is sent at once, then at most one in 10 s with the number it stands for
 * ([realtime.server-messages.11]).
 */
export class WarningThrottle {
  readonly #clock: Clock
  readonly #kinds = new Map<string, { toldAtMs: number; held: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How many occurrences to report now; 0 for none. */
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

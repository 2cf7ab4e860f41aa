import { AsyncLocalStorage } from 'node:async_hooks'
import type { Outcome } from '../../src/domain/errors.ts'
import { succeed } from '../../src/domain/errors.ts'
import type { Clock } from '../../src/ports/clock.ts'

/**
 * our choice: how many ms past its time an ask is awaited for a caller that can use a late outcome. The longest ask and
 * this stay below IDEMPOTENCY_LOCK_MS, after which a claim counts as that of a crashed node.
 */
const LATE_MS = 15_000
/**
 * our choice: how many ms a change of a number waits for its owner to use it. A living owner does within hundredths of
 * a second, so that the caller sees the change done.
 */
const APPLY_WAIT_MS = 1_000

/** Called when the time of an ask is over and it is awaited all the same. */
type Late = () => void

/** How long an ask is awaited. */
export interface Wait {
  readonly withinMs: number
  /**
   * Called once no outcome can be expected soon, while the ask is awaited all the same; null when nobody waits longer.
   * Further calls do nothing.
   */
  readonly late: Late | null
}

/** Gives all asks within one piece of work more time. */
export class Patience {
  readonly #clock: Clock
  readonly #late = new AsyncLocalStorage<Late>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Runs `work` with asks that are awaited longer. `late` is called when the time of one is over; it must not throw.
   */
  run<T>(work: () => Promise<T>, late: Late): Promise<T> {
    return this.#late.run(late, work)
  }

  /** Asks, and waits as long as the current work allows. */
  async ask(withinMs: number, ask: (wait: Wait) => Promise<Outcome<unknown>>): Promise<Outcome<unknown>> {
    const late = this.#late.getStore()
    if (!late) return await ask({ withinMs, late: null })
    const timer = this.#clock.after(withinMs, late)
    return await ask({ withinMs: withinMs + LATE_MS, late }).finally(() => timer.cancel())
  }

  /** The outcome within APPLY_WAIT_MS, else success: slower work goes on by itself. */
  async briefly(outcome: Promise<Outcome<unknown>>): Promise<Outcome<unknown>> {
    const late = Promise.withResolvers<Outcome<unknown>>()
    const timer = this.#clock.after(APPLY_WAIT_MS, () => late.resolve(succeed(null)))
    return await Promise.race([outcome, late.promise]).finally(() => timer.cancel())
  }
}

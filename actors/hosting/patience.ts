import { AsyncLocalStorage } from 'node:async_hooks'
import type { Outcome } from '../../src/domain/errors.ts'
import { succeed } from '../../src/domain/errors.ts'
import type { Clock } from '../../src/ports/clock.ts'

/**
 * our choice: how much longer than its time an ask is waited for by whoever can use its outcome later, ms. The longest
 * ask and this stay below IDEMPOTENCY_LOCK_MS, after which a claim is taken for that of a crashed node.
 */
const LATE_MS = 15_000
/**
 * our choice: how long a change of a number waits for its owner to use it, ms: a living one does within hundredths of a
 * second, and whoever changes it sees it done.
 */
const APPLY_WAIT_MS = 1_000

/** Called when the time of an ask is over and it is waited for all the same. */
type Late = () => void

/** How an ask is waited for. */
export interface Wait {
  readonly withinMs: number
  /**
   * To be called once nobody can say soon what came of it, where it is waited for all the same; null: nobody waits
   * longer. More calls do nothing.
   */
  readonly late: Late | null
}

/** Who waits longer: everything asked on the way of one piece of work. */
export class Patience {
  readonly #clock: Clock
  readonly #late = new AsyncLocalStorage<Late>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Runs `work` with asks that are waited for longer; `late` is called when the time of one is over, and must not
   * throw.
   */
  run<T>(work: () => Promise<T>, late: Late): Promise<T> {
    return this.#late.run(late, work)
  }

  /** Asks for as long as it is to be waited. */
  async ask(withinMs: number, ask: (wait: Wait) => Promise<Outcome<unknown>>): Promise<Outcome<unknown>> {
    const late = this.#late.getStore()
    if (!late) return await ask({ withinMs, late: null })
    const timer = this.#clock.after(withinMs, late)
    return await ask({ withinMs: withinMs + LATE_MS, late }).finally(() => timer.cancel())
  }

  /** What comes of it within a moment; what takes longer goes on by itself. */
  async briefly(outcome: Promise<Outcome<unknown>>): Promise<Outcome<unknown>> {
    const late = Promise.withResolvers<Outcome<unknown>>()
    const timer = this.#clock.after(APPLY_WAIT_MS, () => late.resolve(succeed(null)))
    return await Promise.race([outcome, late.promise]).finally(() => timer.cancel())
  }
}

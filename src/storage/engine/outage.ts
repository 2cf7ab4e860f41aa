import { type AwayKind, StoreAway } from '../../domain/store-away.ts'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { awayKindOf } from './failures.ts'
import { FULL_MS, PROBE_MS, PROBE_PAUSE_MS } from './patience.ts'

export interface OutageOptions {
  readonly clock: Clock
  readonly log: Log
  /** Asks the database whether it is there, apart from the work that waits for it. Rejects when it is not; may hang. */
  readonly probe: () => Promise<void>
  /** Cuts what still waits for a database that is away, so that connections are new once it is back. */
  readonly cut: () => void
}

/**
 * Tells whether the database is there. One failure says little, since one connection may have broken. So the database
 * is probed once for all, and when it does not answer, all waiting and new work is refused at once until it answers
 * again.
 */
export class Outage {
  readonly #options: OutageOptions
  readonly #waiting = new Set<(error: StoreAway) => void>()
  #away: { readonly kind: AwayKind; readonly sinceMs: number } | null = null
  #isProbing = false
  #isStopped = false
  #timer: Timer | null = null
  #fullMs = -Infinity

  constructor(options: OutageOptions) {
    this.#options = options
  }

  /** True while nothing is let through. */
  get isAway(): boolean {
    return this.#away !== null
  }

  /** True when a write failed for want of disk space within the last FULL_MS. */
  get isFull(): boolean {
    return this.#options.clock.monotonicMs() - this.#fullMs < FULL_MS
  }

  /**
   * Runs work on the database. Throws StoreAway when the database is away, or did not answer within `patienceMs`; when
   * that is null, the work has its own bound.
   */
  async guard<T>(work: () => Promise<T>, patienceMs: number | null): Promise<T> {
    if (this.#away) throw new StoreAway(this.#away.kind)
    const refused = Promise.withResolvers<never>()
    this.#waiting.add(refused.reject)
    const timer =
      patienceMs === null ? null : this.#options.clock.after(patienceMs, () => refused.reject(new StoreAway('late')))
    try {
      return await Promise.race([work(), refused.promise])
    } catch (error) {
      throw this.#judge(error)
    } finally {
      this.#waiting.delete(refused.reject)
      timer?.cancel()
    }
  }

  /** Stops probing. Idempotent. */
  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
  }

  #judge(error: unknown): unknown {
    const kind = awayKindOf(error)
    if (kind === null) return error
    if (kind === 'full') this.#noteFull()
    else if (kind !== 'slow') void this.#ask(kind)
    return error instanceof StoreAway ? error : new StoreAway(kind)
  }

  #noteFull(): void {
    const { clock, log } = this.#options
    if (!this.isFull) log.warn({}, 'the disk of the database is full; writes are answered 503 until there is room')
    this.#fullMs = clock.monotonicMs()
  }

  async #ask(kind: AwayKind): Promise<void> {
    if (this.#isProbing || this.#away || this.#isStopped) return
    this.#isProbing = true
    const isThere = await this.#isThere()
    this.#isProbing = false
    if (isThere || this.#isStopped) return
    this.#away = { kind, sinceMs: this.#options.clock.monotonicMs() }
    this.#options.log.warn({ why: kind }, 'the database is away; requests are answered 503 until it is back')
    for (const refuse of this.#waiting) refuse(new StoreAway(kind))
    this.#options.cut()
    this.#askLater()
  }

  #askLater(): void {
    if (this.#isStopped) return
    this.#timer = this.#options.clock.after(PROBE_PAUSE_MS, () => void this.#askAgain())
  }

  async #askAgain(): Promise<void> {
    if (!(await this.#isThere())) return this.#askLater()
    const { clock, log } = this.#options
    log.info({ awayMs: Math.round(clock.monotonicMs() - (this.#away?.sinceMs ?? 0)) }, 'the database is back')
    this.#away = null
  }

  async #isThere(): Promise<boolean> {
    const late = Promise.withResolvers<boolean>()
    const timer = this.#options.clock.after(PROBE_MS, () => late.resolve(false))
    // A database that refuses the probe is there, unless it refuses everything.
    const asked = this.#options.probe().then(
      () => true,
      (error: unknown) => !['gone', 'late'].includes(awayKindOf(error) ?? ''),
    )
    const isThere = await Promise.race([asked, late.promise])
    timer.cancel()
    return isThere
  }
}

import { ASIDE_TRIES, failureCode, isOwnFault } from '../domain/set-aside.ts'
import { unlessAway } from '../domain/store-away.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { DeliveryStore, FetchedDelivery, SettledAttempt } from '../ports/stores/delivery-store.ts'
import type { SetAsideStore } from '../ports/stores/set-aside-store.ts'
import { Loop } from './loop.ts'

/**
 * Our choice: outcomes are stored after this many ms, or once there are this many; one transaction stores up to 500.
 */
const GATHER_MS = 20
const ENOUGH = 100
const BATCH = 500
/** Our choice: with this many unstored outcomes the store is in trouble, so no new delivery begins. */
const BEHIND = 2_000

export interface SettlementDeps {
  readonly deliveries: DeliveryStore
  readonly setAside: Pick<SetAsideStore, 'note'>
  readonly clock: Clock
  readonly log: Log
  /** Called when retries were stored; the first of them is due after `delayMs`. */
  readonly retried: (delayMs: number) => void
}

/** Stores outcomes in batches, and gives jobs back. An outcome that the store refuses is kept and tried again. */
export class Settlement {
  readonly #deliveries: DeliveryStore
  readonly #setAside: SettlementDeps['setAside']
  readonly #log: Log
  /** How often the store refused an outcome for a reason of its own. */
  readonly #refused = new WeakMap<SettledAttempt, number>()
  readonly #retried: SettlementDeps['retried']
  readonly #loop: Loop
  #outcomes: SettledAttempt[] = []
  #returned: FetchedDelivery[] = []
  #batch = BATCH
  #emptied: (() => void) | null = null

  constructor({ deliveries, setAside, clock, log, retried }: SettlementDeps) {
    this.#deliveries = deliveries
    this.#setAside = setAside
    this.#log = log
    this.#retried = retried
    this.#loop = new Loop({
      clock,
      step: async () => {
        await this.#store()
        if (this.#isEmpty) this.#emptied?.()
        return this.#outcomes.length >= ENOUGH || this.#returned.length > 0
          ? 0
          : this.#outcomes.length > 0
            ? GATHER_MS
            : Infinity
      },
      onError: (error) =>
        unlessAway(error, () =>
          log.error(
            { error: String(error), outcomes: this.#outcomes.length },
            'outcomes of deliveries could not be stored; will be tried again',
          ),
        ),
    })
  }

  get isBehind(): boolean {
    return this.#outcomes.length >= BEHIND
  }

  get #isEmpty(): boolean {
    return this.#outcomes.length === 0 && this.#returned.length === 0
  }

  add(outcome: SettledAttempt): void {
    this.#outcomes.push(outcome)
    this.#loop.wake(this.#outcomes.length >= ENOUGH ? 0 : GATHER_MS)
  }

  /** Gives jobs back to the queue unchanged. */
  giveBack(jobs: readonly FetchedDelivery[]): void {
    if (jobs.length === 0) return
    this.#returned.push(...jobs)
    this.#loop.wake()
  }

  /**
   * Stores the outcomes that are left, for at most `limitMs`; the jobs of the others come back when they expire.
   * Idempotent.
   */
  async stop(clock: Clock, limitMs: number): Promise<void> {
    if (!this.#isEmpty) {
      await new Promise<void>((resolve) => {
        const timer = clock.after(limitMs, resolve)
        this.#emptied = () => {
          timer.cancel()
          resolve()
        }
        this.#loop.wake()
      })
    }
    await this.#loop.stop()
  }

  async #store(): Promise<void> {
    if (this.#returned.length > 0) {
      const returned = this.#returned.slice(0, BATCH)
      await this.#deliveries.putBack(returned)
      this.#returned.splice(0, returned.length)
    }
    if (this.#outcomes.length > 0) await this.#settle(this.#outcomes.slice(0, this.#batch))
  }

  /**
   * Moves the first outcome to the end. An outcome that the store keeps refusing for a reason of its own goes on
   * without its log, which is set aside.
   */
  async #putOff(error: unknown): Promise<void> {
    const [outcome] = this.#outcomes.splice(0, 1)
    if (!outcome) return
    const tries = (this.#refused.get(outcome) ?? 0) + (isOwnFault(error) ? 1 : 0)
    this.#refused.set(outcome, tries)
    if (tries < ASIDE_TRIES) return void this.#outcomes.push(outcome)
    const { log } = outcome
    // An outcome without a log is dropped: its job comes back when it expires.
    if (log === null) return
    const reason = failureCode(error)
    this.#log.error({ webhookId: log.webhookId, reason }, 'the log of a delivery cannot be stored and is set aside')
    try {
      await this.#setAside.note(
        { reason, tries, line: 'deliveries', item: log.id, tenantId: null, numberId: null, accountId: null },
        JSON.stringify(log),
      )
      this.#outcomes.push({ ...outcome, log: null })
    } catch {
      this.#outcomes.push(outcome)
    }
  }

  /**
   * Stores a batch. A batch that fails is halved, down to one outcome, which then goes to the end: an outcome that
   * cannot be stored holds up no other.
   */
  async #settle(batch: readonly SettledAttempt[]): Promise<void> {
    try {
      await this.#deliveries.settle(batch)
      this.#outcomes.splice(0, batch.length)
      const delaysMs = batch.flatMap(({ retry }) => (retry === null ? [] : [retry.delayMs]))
      if (delaysMs.length > 0) this.#retried(Math.min(...delaysMs))
      this.#batch = Math.min(BATCH, this.#batch * 2)
    } catch (error) {
      if (batch.length === 1) await this.#putOff(error)
      this.#batch = Math.max(1, Math.floor(batch.length / 2))
      throw error
    }
  }
}

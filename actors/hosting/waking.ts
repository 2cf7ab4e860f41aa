import type { Outcome } from '../../src/domain/errors.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { InboundStore } from '../../src/ports/stores/inbound-store.ts'
import type { SendQueue } from '../../src/ports/stores/send-queue.ts'
import type { NumberRef } from '../number/number-actor.ts'
import { warnOf } from '../../src/leases/ownership.ts'
import { CHANGES_MS, type DirectoryTimers } from './timers.ts'

/** our choice: numbers with work that are listed at once. */
const PAGE = 200
/**
 * our choice: a number that another node holds is not asked for again for each message during this many ms; that node
 * looks for itself.
 */
const ELSEWHERE_MS = 5_000
/** our choice: most numbers remembered as held elsewhere; beyond that all are forgotten. */
const ELSEWHERE_LIMIT = 10_000

/** The work that waits for a number: queued messages, or changes of upstream webhooks. */
export type Waiting = 'sends' | 'changes'

export interface WakingDeps {
  readonly clock: Clock
  readonly log: Log
  readonly stores: { readonly sendQueue: Pick<SendQueue, 'listDue'> }
  readonly inbound: Pick<InboundStore, 'listPending'>
  readonly timers?: Partial<DirectoryTimers>
  elsewhere?(numberId: NumberId, waits: Waiting): void
  find(numberId: NumberId): Promise<Outcome<NumberRef>>
  runningOf(numberId: NumberId): NumberRef | null
  gate<T>(run: () => Promise<T>): Promise<T>
}

/** Wakes numbers that have work: when told of it, and by looking. */
export interface Waking {
  /** See NumberHosting. */
  receive(numberId: NumberId): Promise<void>
  send(numberId: NumberId): Promise<void>
  /** Notes that the number is on this node now. */
  taken(numberId: NumberId): void
  /** Looks once, then at intervals. */
  start(): Promise<void>
  /** Looks now for numbers with this kind of work. Never rejects. */
  look(waits: Waiting): Promise<void>
  stop(): void
}

/** Creates the waking of a node. */
export function createWaking(deps: WakingDeps): Waking {
  return new PendingWork(deps)
}

class PendingWork implements Waking {
  readonly #deps: WakingDeps
  readonly #receiving = new Set<NumberId>()
  readonly #sending = new Set<NumberId>()
  /** Numbers held by other nodes, each until this monotonic ms. */
  readonly #elsewhere = new Map<NumberId, number>()
  #timer: Timer | null = null
  #isStopped = false

  constructor(deps: WakingDeps) {
    this.#deps = deps
  }

  taken(numberId: NumberId): void {
    this.#elsewhere.delete(numberId)
  }

  async start(): Promise<void> {
    await this.#wakePending()
    this.#watchPending()
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
  }

  look(waits: Waiting): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    return waits === 'sends' ? this.#wakeDue() : this.#wakeChanged()
  }

  async receive(numberId: NumberId): Promise<void> {
    // The caller under way for this number will read what is stored by now.
    if (this.#receiving.has(numberId)) return
    if (!(await this.#receiveHere(numberId))) this.#deps.elsewhere?.(numberId, 'changes')
  }

  /** False when another node holds the number. */
  async #receiveHere(numberId: NumberId): Promise<boolean> {
    if (this.#deps.runningOf(numberId) === null && this.#isElsewhere(numberId)) return false
    this.#receiving.add(numberId)
    const found = await this.#deps.find(numberId)
    this.#receiving.delete(numberId)
    if (found.ok) found.value.tell({ type: 'Receive' })
    else if (found.error.code === 'NOT_OWNER') this.#noteElsewhere(numberId)
    return found.ok || found.error.code !== 'NOT_OWNER'
  }

  async send(numberId: NumberId): Promise<void> {
    const ref = this.#deps.runningOf(numberId)
    if (ref && !ref.isStopped) return void ref.tell({ type: 'Send' })
    // The caller under way for this number will find what is queued by now.
    if (this.#sending.has(numberId)) return
    if (!this.#isElsewhere(numberId)) {
      this.#sending.add(numberId)
      const found = await this.#deps.find(numberId)
      this.#sending.delete(numberId)
      if (found.ok) return void found.value.tell({ type: 'Send' })
      if (found.error.code !== 'NOT_OWNER') return
      this.#noteElsewhere(numberId)
    }
    this.#deps.elsewhere?.(numberId, 'sends')
  }

  #isElsewhere(numberId: NumberId): boolean {
    return (this.#elsewhere.get(numberId) ?? -Infinity) > this.#deps.clock.monotonicMs()
  }

  #noteElsewhere(numberId: NumberId): void {
    if (this.#elsewhere.size >= ELSEWHERE_LIMIT) this.#elsewhere.clear()
    this.#elsewhere.set(numberId, this.#deps.clock.monotonicMs() + ELSEWHERE_MS)
  }

  /**
   * Wakes a number that a look found. True when another node holds it and was not told lately, because nodes look in
   * turns.
   */
  async #sendHere(numberId: NumberId): Promise<boolean> {
    if (this.#isElsewhere(numberId)) return false
    const found = await this.#deps.find(numberId)
    if (found.ok) found.value.tell({ type: 'Send' })
    else if (found.error.code === 'NOT_OWNER') this.#noteElsewhere(numberId)
    return !found.ok && found.error.code === 'NOT_OWNER'
  }

  #watchPending(): void {
    if (this.#isStopped) return
    this.#timer = this.#deps.clock.after(
      this.#deps.timers?.changesMs ?? CHANGES_MS,
      () => void this.#wakePending().finally(() => this.#watchPending()),
    )
  }

  /** Wakes all numbers with changes or messages, whether or not anybody asks for them. */
  async #wakePending(): Promise<void> {
    await this.#wakeChanged()
    await this.#wakeDue()
  }

  #wakeChanged(): Promise<void> {
    return this.#wakeListed(
      'pending changes could not be listed',
      () => this.#deps.inbound.listPending(PAGE),
      async (numberId) => {
        if (!(await this.#receiveHere(numberId))) this.#deps.elsewhere?.(numberId, 'changes')
      },
    )
  }

  #wakeDue(): Promise<void> {
    return this.#wakeListed(
      'due messages could not be listed',
      () => this.#deps.stores.sendQueue.listDue(PAGE),
      async (numberId) => {
        if (await this.#sendHere(numberId)) this.#deps.elsewhere?.(numberId, 'sends')
      },
    )
  }

  async #wakeListed(
    trouble: string,
    list: () => Promise<NumberId[]>,
    wake: (numberId: NumberId) => Promise<void>,
  ): Promise<void> {
    try {
      const ids = await list()
      await Promise.all(ids.map((numberId) => this.#deps.gate(() => wake(numberId))))
    } catch (error) {
      warnOf(this.#deps.log, error, trouble)
    }
  }
}

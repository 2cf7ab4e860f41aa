import type { Outcome } from '../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import { SharedWork } from '../../src/domain/shared-work.ts'
import { Turns } from '../../src/domain/turns.ts'
import type { Fence, Leases } from '../../src/ports/leases.ts'
import type { Placement } from '../../src/ports/placement.ts'
import { createRuntime, type Runtime } from '../engine/runtime.ts'
import type { NumberRef } from '../number/number-actor.ts'
import type { StopReason } from '../number/state.ts'
import type { NumberPorts } from '../number/world.ts'
import { createOwnership, warnOf } from '../../src/leases/ownership.ts'
import { createPlacing } from './placing.ts'
import { createRestarts } from './restarts.ts'
import { type SpawningDeps, spawnUnder } from './spawning.ts'
import { createWaking, type Waiting, type WakingDeps } from './waking.ts'

/** our choice: numbers that load at once, so that a start does not flood the database. */
const START_GATE = 20
/** our choice: how many ms a stopping node waits for the last words of its numbers. */
const STOP_MS = 8_000
/**
 * our choice: how many ms it waits, from when it began to give numbers back, for requests to engines. Each answers
 * within 10 s, after up to 3 s without a link.
 */
const UNDER_WAY_MS = 14_000

export interface NumberHostingDeps extends SpawningDeps {
  /** Where the actors run. Default: a runtime of its own. */
  readonly runtime?: Runtime
  /** Changes of upstream webhooks that wait for their numbers. */
  readonly inbound: NumberPorts['inbound'] & WakingDeps['inbound']
  /**
   * Called when work was stored here for a number that another node holds, so that the nodes can be told. Returns at
   * once; must not throw.
   */
  elsewhere?(numberId: NumberId, waits: Waiting): void
  /**
   * Called when a number was handed over, so that the other nodes can be told to take it. Returns at once; must not
   * throw.
   */
  handedOver?(): void
  /**
   * Called when another process took this node's name: this one holds nothing any more, and never will. Returns at
   * once; must not throw.
   */
  replaced?(): void
  readonly leases: Leases
  readonly placement: Placement
  /** Most numbers that start at once. Default START_GATE. */
  readonly startGate?: number
}

/** The number actors of this node: starts them under a lease, restarts them, gives them back. */
export interface NumberHosting {
  /** Refusals: NOT_OWNER, BUSY. */
  find(numberId: NumberId): Promise<Outcome<NumberRef>>
  /** The token under which this node holds the number now; null when it does not. */
  tokenOf(numberId: NumberId): number | null
  /** Whether the number runs here, and no other node can have taken it meanwhile. */
  isSure(numberId: NumberId): boolean
  /** Monotonic ms since when this node holds the number; null when it does not. */
  heldSinceMs(numberId: NumberId): number | null
  /** Starts the number here for waiting changes of upstream webhooks, unless another node holds it. Never rejects. */
  receive(numberId: NumberId): Promise<void>
  /** Starts the number here for queued messages, or tells the other nodes of them. Never rejects. */
  send(numberId: NumberId): Promise<void>
  /** Wakes the number for work that another node stored, only if it is here. */
  wake(numberId: NumberId, waits: Waiting): void
  start(): Promise<void>
  /** Wakes all numbers with this kind of work, wherever they are. Never rejects. */
  lookForWork(waits: Waiting): Promise<void>
  /** Takes this node's part of numbers that other nodes handed over. Returns at once. */
  takeHandedOver(): void
  /**
   * Prepares the stop while other nodes are alive: takes no more numbers, and gives back those without calls. Resolves
   * once each was told. A node that is alone changes nothing. Never rejects.
   */
  drain(): Promise<void>
  stop(): Promise<void>
  count(): number
}

const NOT_OWNER = refuse('NOT_OWNER', 'Another node holds the number; try again', undefined, 1)
const STOPPING = refuse('NOT_OWNER', 'The node is stopping; try again', undefined, 1)
const UNAVAILABLE = refuse('BUSY', 'The number cannot be loaded now; try again', undefined, 1)

/** Creates the number hosting of a node. */
export function createNumberHosting(deps: NumberHostingDeps): NumberHosting {
  return new Hosting(deps)
}

class Hosting implements NumberHosting {
  readonly #deps: NumberHostingDeps
  readonly #runtime
  readonly #ownership
  readonly #placing
  readonly #waking
  readonly #fencedWrites
  readonly #gate
  /** A gate of its own: work in the other gate may wait for a number that this gate is about to start. */
  readonly #takingGate
  readonly #running = new Map<NumberId, NumberRef>()
  /** Numbers on their way to another node. */
  readonly #leaving = new Set<NumberId>()
  readonly #held = new Map<NumberId, { readonly token: number; readonly sinceMs: number }>()
  readonly #starting = new SharedWork<Outcome<NumberRef>>()
  /**
   * Numbers that left memory by themselves. Asks and changes bring them back, the walk through paired numbers does not.
   * Each costs only an id.
   */
  readonly #dormant = new Set<NumberId>()
  readonly #restarts
  readonly #releases = new Set<Promise<void>>()
  #isDraining = false
  /** Monotonic ms since when numbers are given back before the stop; null before that. */
  #drainingSinceMs: number | null = null
  #isStopping = false
  #drained: Promise<void> | null = null
  #stopped: (() => void) | null = null

  constructor(deps: NumberHostingDeps) {
    this.#deps = deps
    this.#runtime = deps.runtime ?? createRuntime(deps)
    this.#gate = new Turns(deps.startGate ?? START_GATE)
    this.#takingGate = new Turns(deps.startGate ?? START_GATE)
    const { leases, placement, clock, log, metrics } = deps
    this.#fencedWrites = metrics.counter(
      'fenced_writes_total',
      'Writes of numbers that another node had taken, refused by their fence.',
    )
    this.#restarts = createRestarts({ clock, log, restart: (numberId) => void this.find(numberId) })
    this.#ownership = createOwnership({
      leases,
      clock,
      log,
      lost: (numberId) => this.#running.get(numberId)?.tell({ type: 'Fenced' }),
      replaced: () => this.#deps.replaced?.(),
      found: (numberIds) => void Promise.all(numberIds.map((numberId) => this.#gate.run(() => this.#wake(numberId)))),
    })
    this.#placing = createPlacing({
      placement,
      times: leases.times,
      clock,
      log,
      host: (fence, sentMs) => this.#host(fence, sentMs),
      wake: (numberId) => this.#gate.run(() => this.#wake(numberId)),
      handOver: (count) => this.#handOver(count),
    })
    this.#waking = createWaking({
      ...deps,
      find: (numberId) => this.find(numberId),
      runningOf: (numberId) => this.#running.get(numberId) ?? null,
      gate: (run) => this.#gate.run(run),
    })
    this.#ownership.start()
  }

  count(): number {
    return this.#running.size
  }

  tokenOf(numberId: NumberId): number | null {
    const isRunning = this.#running.get(numberId)?.isStopped === false
    return isRunning ? (this.#held.get(numberId)?.token ?? null) : null
  }

  isSure(numberId: NumberId): boolean {
    const token = this.tokenOf(numberId)
    return token !== null && this.#ownership.isSure({ numberId, token })
  }

  heldSinceMs(numberId: NumberId): number | null {
    return this.#held.get(numberId)?.sinceMs ?? null
  }

  async find(numberId: NumberId): Promise<Outcome<NumberRef>> {
    if (this.#isStopping) return fail(STOPPING)
    const ref = this.#running.get(numberId)
    if (ref && !ref.isStopped) return succeed(ref)
    // The actor stopped but is still closing its session; the next one must not open another beside it.
    if (ref) return fail(this.#leaving.has(numberId) ? NOT_OWNER : UNAVAILABLE)
    if (this.#restarts.isResting(numberId)) return fail(UNAVAILABLE)
    if (this.#isDraining && !this.#starting.has(numberId)) return fail(STOPPING)
    return this.#starting.join(numberId, () => this.#acquire(numberId))
  }

  async #acquire(numberId: NumberId): Promise<Outcome<NumberRef>> {
    try {
      const fence = await this.#ownership.acquire(numberId)
      if (fence === null) return fail(NOT_OWNER)
      if (this.#isStopping) {
        await this.#ownership.release(numberId)
        return fail(STOPPING)
      }
      return succeed(this.#run(fence))
    } catch (error) {
      warnOf(this.#deps.log, error, 'number could not be started', { numberId })
      await this.#ownership.release(numberId)
      return fail(UNAVAILABLE)
    }
  }

  #run(fence: Fence): NumberRef {
    const ref = spawnUnder(fence, this.#deps, {
      runtime: this.#runtime,
      fenced: () => this.#fencedWrites.add(),
      stopped: (why) => this.#numberStopped(fence.numberId, why),
    })
    this.#running.set(fence.numberId, ref)
    this.#held.set(fence.numberId, { token: fence.token, sinceMs: this.#deps.clock.monotonicMs() })
    this.#dormant.delete(fence.numberId)
    this.#waking.taken(fence.numberId)
    return ref
  }

  /**
   * Starts a number that was taken. When it is acquired separately at this moment, that lease has the higher token and
   * goes on.
   */
  async #host(fence: Fence, sentMs: number): Promise<void> {
    const { numberId } = fence
    if (this.#running.has(numberId) || this.#starting.has(numberId)) return
    this.#ownership.hold([fence], sentMs)
    const starting = Promise.withResolvers<Outcome<NumberRef>>()
    void this.#starting.join(numberId, () => starting.promise)
    await this.#takingGate.run(async () => {
      const hosted = this.#ownership.holds(fence) ? this.#runUnlessStopping(fence) : fail(NOT_OWNER)
      starting.resolve(hosted)
      if (hosted.ok) await hosted.value.ask((askId) => ({ type: 'AwaitReady', askId }), STOP_MS)
      else await this.#ownership.release(numberId, true)
    })
  }

  #runUnlessStopping(fence: Fence): Outcome<NumberRef> {
    if (this.#isStopping || this.#isDraining) return fail(STOPPING)
    try {
      return succeed(this.#run(fence))
    } catch (error) {
      warnOf(this.#deps.log, error, 'number could not be started', { numberId: fence.numberId })
      return fail(UNAVAILABLE)
    }
  }

  #numberStopped(numberId: NumberId, why: StopReason): void {
    this.#running.delete(numberId)
    this.#leaving.delete(numberId)
    this.#held.delete(numberId)
    if (why === 'passivated') this.#dormant.add(numberId)
    if (why === 'fenced') {
      this.#ownership.forget(numberId)
    } else {
      const release = this.#ownership.release(numberId, why === 'drained').finally(() => {
        this.#releases.delete(release)
        if (why === 'drained') this.#deps.handedOver?.()
      })
      this.#releases.add(release)
    }
    if (why === 'crashed') this.#restarts.crashed(numberId)
    else if (why !== 'fenced') this.#restarts.forget(numberId)
    if (this.#running.size === 0) this.#stopped?.()
  }

  async start(): Promise<void> {
    await this.#placing.start()
    await this.#waking.start()
  }

  lookForWork(waits: Waiting): Promise<void> {
    return this.#waking.look(waits)
  }

  takeHandedOver(): void {
    this.#placing.wake()
  }

  receive(numberId: NumberId): Promise<void> {
    return this.#waking.receive(numberId)
  }

  send(numberId: NumberId): Promise<void> {
    return this.#waking.send(numberId)
  }

  wake(numberId: NumberId, waits: Waiting): void {
    this.#running.get(numberId)?.tell({ type: waits === 'sends' ? 'Send' : 'Receive' })
  }

  /** Starts a number and waits until it is loaded, so that the gate bounds loads and not spawns. */
  async #wake(numberId: NumberId): Promise<void> {
    if (this.#isStopping || this.#running.has(numberId) || this.#dormant.has(numberId)) return
    const found = await this.find(numberId)
    if (found.ok) await found.value.ask((askId) => ({ type: 'AwaitReady', askId }), STOP_MS)
  }

  /** Asks one number after the other, so that no more leave than are wanted. */
  async #handOver(count: number): Promise<number> {
    let given = 0
    for (const numberId of this.#running.keys()) {
      if (given >= count || this.#isStopping) break
      if (await this.#leaves(numberId, false)) given++
    }
    return given
  }

  drain(): Promise<void> {
    this.#drained ??= this.#handAllOver()
    return this.#drained
  }

  async #handAllOver(): Promise<void> {
    const { placement, log } = this.#deps
    try {
      await placement.leave()
      if ((await placement.census()).nodes === 0) return
    } catch (error) {
      return warnOf(log, error, 'the other nodes could not be told of the end')
    }
    this.#isDraining = true
    this.#drainingSinceMs = this.#deps.clock.monotonicMs()
    this.#placing.stop()
    await Promise.all([...this.#running.keys()].map((numberId) => this.#leaves(numberId, true)))
  }

  /**
   * Whether the number leaves. At a stop each one without calls does; for balance, only a paired one with nothing under
   * way.
   */
  async #leaves(numberId: NumberId, isStopping: boolean): Promise<boolean> {
    const outcome = await this.#running
      .get(numberId)
      ?.ask<boolean>((askId) => ({ type: 'HandOver', askId, isStopping }), STOP_MS)
    const isLeaving = typeof outcome === 'object' && outcome.ok && outcome.value
    if (isLeaving && this.#running.has(numberId)) this.#leaving.add(numberId)
    return isLeaving
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return
    await this.drain()
    this.#isStopping = true
    this.#placing.stop()
    this.#waking.stop()
    this.#restarts.stop()
    await this.#starting.ended()
    await this.#drain()
    this.#ownership.stop()
    await Promise.all(this.#releases)
    await this.#deps.placement
      .forget()
      .catch((error: unknown) => warnOf(this.#deps.log, error, 'the node could not be forgotten'))
    this.#runtime.close()
  }

  async #drain(): Promise<void> {
    if (this.#running.size === 0) return
    for (const ref of this.#running.values()) ref.tell({ type: 'Drain' })
    const nowMs = this.#deps.clock.monotonicMs()
    const leftMs = UNDER_WAY_MS - (nowMs - (this.#drainingSinceMs ?? nowMs))
    await new Promise<void>((resolve) => {
      const patience = this.#deps.clock.after(Math.max(STOP_MS, leftMs), resolve)
      this.#stopped = () => {
        patience.cancel()
        resolve()
      }
    })
  }
}

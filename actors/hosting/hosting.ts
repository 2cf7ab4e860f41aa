import type { Outcome } from '../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { CallId, NumberId } from '../../src/domain/ids.ts'
import { LEASE_RENEW_MS } from '../../src/domain/limits.ts'
import type { Timer } from '../../src/ports/clock.ts'
import type { Fence, Leases } from '../../src/ports/leases.ts'
import type { InboundStore } from '../../src/ports/stores/inbound-store.ts'
import type { NumberStore } from '../../src/ports/stores/number-store.ts'
import type { CallRef } from '../call/call-actor.ts'
import { createGate } from '../engine/gate.ts'
import { createRuntime, type RuntimeDeps } from '../engine/runtime.ts'
import { type NumberRef, spawnNumber } from '../number/number-actor.ts'
import type { StopReason } from '../number/state.ts'
import type { NumberPorts } from '../number/world.ts'
import { createOwnership, warnOf } from './ownership.ts'
import { callTimes, CHANGES_MS, type DirectoryTimers, numberTimes } from './timers.ts'

/** our choice: numbers that load at the same time, so that a start does not flood the database. */
const START_GATE = 20
/** our choice: paired numbers looked at in one page. */
const PAGE = 200
/** our choice: restarts of a number that crashed wait 1 s, doubled each time up to 30 s, and begin anew after two minutes of life. */
const RESTART_MS = 1_000
const RESTART_MAX_MS = 30_000
const RESTART_FORGIVEN_MS = 120_000
/** our choice: a number another node holds is not asked for again for each message; that node looks by itself. */
const ELSEWHERE_MS = 5_000
/** our choice: so many are remembered as held elsewhere; beyond that all are asked for again. */
const ELSEWHERE_LIMIT = 10_000
/** our choice: a stopping node waits this long for the last words of its numbers. */
const STOP_MS = 8_000

/** What each number is given as it is. */
type NumberGiven = Pick<NumberPorts, 'registry' | 'media' | 'files' | 'readCallEvents' | 'readMessageEvents' | 'sending' | 'conversationOf' | 'wantsStories' | 'templateRefused'>

export interface NumberHostingDeps extends RuntimeDeps, NumberGiven {
  readonly stores: Pick<NumberPorts, 'calls' | 'sendQueue' | 'messageInbox'> & {
    readonly numbers: NumberPorts['numbers'] & Pick<NumberStore, 'listPaired'>
    readonly pairing: NumberPorts['pairings']
  }
  /** Changes of upstream webhooks that wait for their numbers. */
  readonly inbound: NumberPorts['inbound'] & Pick<InboundStore, 'listPending'>
  /** Messages were queued here for a number that another node holds: lets main tell the nodes. Answers at once; must not throw. */
  elsewhere?(numberId: NumberId): void
  readonly leases: Leases
  readonly timers?: Partial<DirectoryTimers>
  /** Numbers starting at once. Default START_GATE. */
  readonly startGate?: number
  /** Filled by the calls of this node. */
  readonly liveCalls: Map<CallId, CallRef>
}

/** The number actors of this node: starts them under a lease, starts them again, gives them back. */
export interface NumberHosting {
  /** Refusals: NOT_OWNER, BUSY. */
  find(numberId: NumberId): Promise<Outcome<NumberRef>>
  /** Changes of upstream webhooks wait for the number: starts it here, unless another node holds it. Never rejects. */
  receive(numberId: NumberId): Promise<void>
  /** Messages were queued for the number: starts it here, or says that it is elsewhere. Never rejects. */
  send(numberId: NumberId): Promise<void>
  /** The same, heard from another node: only if it is here. */
  wake(numberId: NumberId): void
  start(): Promise<void>
  stop(): Promise<void>
  count(): number
}

interface Crash {
  readonly tries: number
  readonly atMs: number
  readonly untilMs: number
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
  readonly #gate
  readonly #running = new Map<NumberId, NumberRef>()
  readonly #starting = new Map<NumberId, Promise<Outcome<NumberRef>>>()
  readonly #receiving = new Set<NumberId>()
  readonly #sending = new Set<NumberId>()
  /** Held by other nodes, until this monotonic ms as far as sends are concerned. */
  readonly #elsewhere = new Map<NumberId, number>()
  /** Left memory by themselves: asks and changes bring them back, the walk through paired numbers does not. An id each is all they cost. */
  readonly #dormant = new Set<NumberId>()
  readonly #crashes = new Map<NumberId, Crash>()
  readonly #timers = new Set<Timer>()
  readonly #releases = new Set<Promise<void>>()
  #cursor: NumberId | null = null
  #isStopping = false
  #stopped: (() => void) | null = null

  constructor(deps: NumberHostingDeps) {
    this.#deps = deps
    this.#runtime = createRuntime(deps)
    this.#gate = createGate(deps.startGate ?? START_GATE)
    const { leases, clock, log } = deps
    this.#ownership = createOwnership({ leases, clock, log, lost: (numberId) => this.#running.get(numberId)?.tell({ type: 'Fenced' }) })
    this.#ownership.start()
  }

  count(): number {
    return this.#running.size
  }

  async find(numberId: NumberId): Promise<Outcome<NumberRef>> {
    if (this.#isStopping) return fail(STOPPING)
    const ref = this.#running.get(numberId)
    if (ref && !ref.isStopped) return succeed(ref)
    // Stopped but still closing its session: the next one may not open another beside it.
    if (ref) return fail(UNAVAILABLE)
    const crash = this.#crashes.get(numberId)
    if (crash && crash.untilMs > this.#deps.clock.monotonicMs()) return fail(UNAVAILABLE)
    const starting = this.#starting.get(numberId) ?? this.#acquire(numberId)
    this.#starting.set(numberId, starting)
    return starting
  }

  async #acquire(numberId: NumberId): Promise<Outcome<NumberRef>> {
    try {
      const fence = await this.#ownership.acquire(numberId)
      if (fence === null) return fail(NOT_OWNER)
      if (this.#isStopping) {
        await this.#ownership.release(numberId)
        return fail(STOPPING)
      }
      const ref = this.#spawn(fence)
      this.#running.set(numberId, ref)
      this.#dormant.delete(numberId)
      this.#elsewhere.delete(numberId)
      return succeed(ref)
    } catch (error) {
      warnOf(this.#deps.log, error, 'number could not be started', { numberId })
      await this.#ownership.release(numberId)
      return fail(UNAVAILABLE)
    } finally {
      this.#starting.delete(numberId)
    }
  }

  #spawn(fence: Fence): NumberRef {
    const { stores: { pairing: pairings, ...stores }, inbound, readCallEvents, readMessageEvents, files, registry, media, clock, log, timers, liveCalls } = this.#deps
    return spawnNumber({
      ...stores, runtime: this.#runtime, pairings, inbound, readCallEvents, readMessageEvents, files, registry, media, clock, log, fence,
      ...(this.#deps.sending ? { sending: this.#deps.sending } : {}),
      templateRefused: (refused) => this.#deps.templateRefused(refused), wantsStories: (numberId) => this.#deps.wantsStories(numberId), conversationOf: (numberId, peer) => this.#deps.conversationOf(numberId, peer),
      callTimes: callTimes(timers),
      callStarted: (callId, ref) => void liveCalls.set(callId, ref),
      callStopped: (callId) => void liveCalls.delete(callId),
      stopped: (why) => this.#numberStopped(fence.numberId, why),
    }, numberTimes(timers))
  }

  #numberStopped(numberId: NumberId, why: StopReason): void {
    this.#running.delete(numberId)
    if (why === 'passivated') this.#dormant.add(numberId)
    if (why === 'fenced') {
      this.#ownership.forget(numberId)
    } else {
      const release = this.#ownership.release(numberId).finally(() => this.#releases.delete(release))
      this.#releases.add(release)
    }
    if (why === 'crashed') this.#restartLater(numberId)
    else if (why !== 'fenced') this.#crashes.delete(numberId)
    if (this.#running.size === 0) this.#stopped?.()
  }

  /** A number crash restarts the number from its rows with backoff (architecture 4.5). */
  #restartLater(numberId: NumberId): void {
    if (this.#isStopping) return
    const { clock } = this.#deps
    const nowMs = clock.monotonicMs()
    const last = this.#crashes.get(numberId)
    const tries = last && nowMs - last.atMs < RESTART_FORGIVEN_MS ? last.tries + 1 : 0
    const delayMs = Math.min(RESTART_MAX_MS, RESTART_MS * 2 ** tries)
    this.#crashes.set(numberId, { tries, atMs: nowMs, untilMs: nowMs + delayMs })
    this.#deps.log.warn({ numberId, delayMs }, 'number restarts after a crash')
    this.#after(delayMs, () => void this.find(numberId))
  }

  /** Starts the paired numbers, then goes on walking through them: what another node gives up is taken within some rounds. */
  async start(): Promise<void> {
    do await this.#page()
    while (this.#cursor !== null && !this.#isStopping)
    this.#walkOn()
    await this.#wakePending()
    this.#watchPending()
  }

  async receive(numberId: NumberId): Promise<void> {
    // Whoever waits for the number already reads what is stored by now.
    if (this.#receiving.has(numberId)) return
    this.#receiving.add(numberId)
    const found = await this.find(numberId)
    this.#receiving.delete(numberId)
    if (found.ok) found.value.tell({ type: 'Receive' })
  }

  async send(numberId: NumberId): Promise<void> {
    const ref = this.#running.get(numberId)
    if (ref && !ref.isStopped) return void ref.tell({ type: 'Send' })
    // Whoever waits for the number already finds what is queued by now.
    if (this.#sending.has(numberId)) return
    if (!this.#isElsewhere(numberId)) {
      this.#sending.add(numberId)
      const found = await this.find(numberId)
      this.#sending.delete(numberId)
      if (found.ok) return void found.value.tell({ type: 'Send' })
      if (found.error.code !== 'NOT_OWNER') return
      this.#noteElsewhere(numberId)
    }
    this.#deps.elsewhere?.(numberId)
  }

  wake(numberId: NumberId): void {
    this.#running.get(numberId)?.tell({ type: 'Send' })
  }

  #isElsewhere(numberId: NumberId): boolean {
    return (this.#elsewhere.get(numberId) ?? -Infinity) > this.#deps.clock.monotonicMs()
  }

  #noteElsewhere(numberId: NumberId): void {
    if (this.#elsewhere.size >= ELSEWHERE_LIMIT) this.#elsewhere.clear()
    this.#elsewhere.set(numberId, this.#deps.clock.monotonicMs() + ELSEWHERE_MS)
  }

  /** A number found by the look of every node: whoever holds it looks too. */
  async #sendHere(numberId: NumberId): Promise<void> {
    if (this.#isElsewhere(numberId)) return
    const found = await this.find(numberId)
    if (found.ok) found.value.tell({ type: 'Send' })
    else if (found.error.code === 'NOT_OWNER') this.#noteElsewhere(numberId)
  }

  #watchPending(): void {
    this.#after(this.#deps.timers?.changesMs ?? CHANGES_MS, () => void this.#wakePending().finally(() => this.#watchPending()))
  }

  /** Wakes the numbers that have changes or messages to work off, whether or not anybody asks for them. */
  async #wakePending(): Promise<void> {
    const { inbound, stores: { sendQueue } } = this.#deps
    await this.#wakeListed('pending changes could not be listed', () => inbound.listPending(PAGE), (numberId) => this.receive(numberId))
    await this.#wakeListed('due messages could not be listed', () => sendQueue.listDue(PAGE), (numberId) => this.#sendHere(numberId))
  }

  async #wakeListed(trouble: string, list: () => Promise<NumberId[]>, wake: (numberId: NumberId) => Promise<void>): Promise<void> {
    try {
      const ids = await list()
      await Promise.all(ids.map((numberId) => this.#gate(() => wake(numberId))))
    } catch (error) {
      warnOf(this.#deps.log, error, trouble)
    }
  }

  /** One page each time leases are renewed: nothing is kept per number, however many are paired. */
  #walkOn(): void {
    this.#after(LEASE_RENEW_MS, () => void this.#page().finally(() => this.#walkOn()))
  }

  /** Tries one page of paired numbers; the cursor is null after the last. */
  async #page(): Promise<void> {
    try {
      const ids = await this.#deps.stores.numbers.listPaired(this.#cursor, PAGE)
      await Promise.all(ids.map((numberId) => this.#gate(() => this.#wake(numberId))))
      this.#cursor = ids.length < PAGE ? null : ids.at(-1) ?? null
    } catch (error) {
      warnOf(this.#deps.log, error, 'paired numbers could not be listed')
      this.#cursor = null
    }
  }

  /** Starts a number and waits until it is loaded, so that the gate counts loads, not spawns. */
  async #wake(numberId: NumberId): Promise<void> {
    if (this.#isStopping || this.#running.has(numberId) || this.#dormant.has(numberId)) return
    const found = await this.find(numberId)
    if (found.ok) await found.value.ask((askId) => ({ type: 'AwaitReady', askId }), STOP_MS)
  }

  #after(delayMs: number, fire: () => void): void {
    if (this.#isStopping) return
    const timer = this.#deps.clock.after(delayMs, () => {
      this.#timers.delete(timer)
      fire()
    })
    this.#timers.add(timer)
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    for (const timer of this.#timers) timer.cancel()
    await Promise.all(this.#starting.values())
    await this.#drain()
    this.#ownership.stop()
    await Promise.all(this.#releases)
    this.#runtime.close()
  }

  async #drain(): Promise<void> {
    if (this.#running.size === 0) return
    for (const ref of this.#running.values()) ref.tell({ type: 'Drain' })
    await new Promise<void>((resolve) => {
      const patience = this.#deps.clock.after(STOP_MS, resolve)
      this.#stopped = () => {
        patience.cancel()
        resolve()
      }
    })
  }
}

import { dispatch, spawn as spawnActor, start, stop as stopActor } from 'nact'
import type { Outcome } from '../../src/domain/errors.ts'
import { fail, refuse } from '../../src/domain/errors.ts'
import { MAILBOX_LIMIT } from '../../src/domain/limits.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Metrics } from '../../src/ports/metrics.ts'

/** Names one ask of one actor; carried in the message, so that a pure decision can say whom it answers. */
export type AskId = number

/** The answer of an ask whose actor stopped before it heard of it. */
export const STOPPED = Symbol('stopped')
/**
 * The answer of an ask that its actor stopped over: it may have been done, so the asker looks the outcome up where it
 * is stored.
 */
export const INTERRUPTED = Symbol('interrupted')

/** Why an ask has no outcome. */
export type Unanswered = typeof STOPPED | typeof INTERRUPTED

/** Whatever actors start below: another actor, while it handles a message, or the runtime. */
export interface Spawner {
  spawn<S, M extends { readonly type: string }>(name: string, behaviour: Behaviour<S, M>): ActorRef<M>
}

/** What an actor can do about itself. */
export interface Self<M> extends Spawner {
  /** Sends itself a message: outcomes of effects and timers. Never refused for a full mailbox. */
  tell(message: M): void
  /** Answers an ask. Answering twice, or after the asker gave up, does nothing. */
  reply(askId: AskId, outcome: Outcome<unknown>): void
  /**
   * Stops. Asks still open are answered STOPPED or INTERRUPTED, messages still waiting go to `undelivered`. Its
   * children go on to their own end. Idempotent.
   */
  stop(): void
}

/** How an actor behaves. No method may return a promise: effects report back by `self.tell`. */
export interface Behaviour<S, M extends { readonly type: string }> {
  readonly kind: string
  readonly initial: S
  /** Runs one message to the next state. A throw answers its asker at once and calls `crashed`. */
  receive(state: S, message: M, self: Self<M>): S
  /** After a throw: the state to go on with, or null to stop. */
  crashed(state: S, self: Self<M>): S | null
  /** A told message that no turn will ever handle: the actor stopped, or its mailbox is full. */
  undelivered(message: M): void
}

/** A spawned actor as others hold it. */
export interface ActorRef<M> {
  readonly name: string
  readonly isStopped: boolean
  /** False when the message went to `undelivered`. */
  tell(message: M): boolean
  /** Never rejects. Refusals of its own: BUSY (mailbox full), TIMEOUT, INTERNAL (the actor threw). */
  ask<T>(message: (askId: AskId) => M, timeoutMs: number): Promise<Outcome<T> | Unanswered>
  stop(): void
}

export interface Runtime extends Spawner {
  /** Actors now alive. */
  count(): number
  /** The most messages that ever waited for one actor. */
  mostWaiting(): number
  /** Ends the actor system; actors still alive are stopped. */
  close(): void
  /** Lets go of all actors, as the death of their process does: none hears of it, nor of anything later. */
  forget(): void
}

export interface RuntimeDeps {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Messages waiting for one actor before its asks answer BUSY. Default MAILBOX_LIMIT. */
  readonly mailboxLimit?: number
}

/** our choice: events are kept this many times longer than asks, because a caller can try again and an event cannot. */
const EVENT_ROOM = 10

interface Envelope<M> {
  /** Null is the last message of a stopped actor: what waited before it has been given back by then. */
  readonly message: M | null
  readonly askId: AskId | null
}

interface OpenAsk {
  readonly answer: (outcome: Outcome<unknown> | Unanswered) => void
  readonly timer: Timer
  isHeard: boolean
}

/** The code of an error for the crash log; its text may hold what the message held, so it is left out. */
function errorCode(error: unknown): string {
  if (error instanceof Error) {
    const { code } = error as { code?: unknown }
    return typeof code === 'string' && /^[\w-]{1,40}$/.test(code) ? code : error.name
  }
  return typeof error
}

function createCounters(metrics: Metrics) {
  return {
    alive: metrics.gauge('actors_alive', 'Actors now alive', ['kind']),
    mostWaiting: metrics.gauge('actor_messages_waiting_most', 'Most messages that ever waited for one actor'),
    messages: metrics.counter('actor_messages_total', 'Messages handled', ['kind']),
    crashes: metrics.counter('actor_crashes_total', 'Messages that made an actor throw', ['kind']),
    refused: metrics.counter('actor_asks_refused_total', 'Asks refused by the runtime', ['kind', 'reason']),
  }
}

interface Shared extends RuntimeDeps {
  readonly system: ReturnType<typeof start>
  readonly counters: ReturnType<typeof createCounters>
  readonly alive: Map<string, number>
  readonly all: Set<{ stop(): void }>
  nextName: number
  mostWaiting: number
}

/** Counts an actor in or out. */
function countActor(shared: Shared, kind: string, by: 1 | -1): void {
  const alive = (shared.alive.get(kind) ?? 0) + by
  shared.alive.set(kind, alive)
  shared.counters.alive.set(alive, { kind })
}

/** Where an actor stands in nact's tree: below another actor, or at its root. */
interface Parent {
  readonly path: string
  readonly ref: Parameters<typeof spawnActor>[0]
  childLeft(): void
}

/**
 * One actor. nact gives it a mailbox, one message at a time, and a place in the tree. What nact lacks is here (each is
 * shown by `test/actors/engine/nact.test.ts`): a child whose parent stopped hears nothing more and is not told so, so a
 * parent leaves the tree after its last child, which may still have to hang up; `afterStop` has not the message whose
 * turn was next, so waiting messages are given back by turns; an error of a turn prints its message, and `escalate` can
 * end the process, so none reaches nact. Askers are answered when a turn throws, and the mailbox is bounded.
 */
class Actor<S, M extends { readonly type: string }> implements ActorRef<M>, Self<M> {
  readonly name: string
  readonly #shared: Shared
  readonly #behaviour: Behaviour<S, M>
  readonly #parent: Parent
  readonly #ref: ReturnType<typeof spawnActor>
  #asks: Map<AskId, OpenAsk> | null = null
  #nextAskId = 1
  #waiting = 0
  #state: S
  #isStopped = false
  #isDrained = false
  #children = 0

  constructor(shared: Shared, parent: Parent, name: string, behaviour: Behaviour<S, M>) {
    this.#shared = shared
    this.#parent = parent
    this.name = name
    this.#behaviour = behaviour
    this.#state = behaviour.initial
    // nact wants names unique among siblings, and a stopped one lives until its mailbox is drained and its children are
    // gone.
    const unique = `${name}-${shared.nextName++}`
    this.#ref = spawnActor(parent.ref, (_state: unknown, envelope: Envelope<M>) => this.#turn(envelope), unique)
    shared.all.add(this)
    countActor(shared, behaviour.kind, 1)
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** As a reference: from outside. As `Self`: see `asSelf`. */
  tell(message: M): boolean {
    const room = (this.#shared.mailboxLimit ?? MAILBOX_LIMIT) * EVENT_ROOM
    if (this.#isStopped || this.#waiting >= room) {
      this.#giveBack(message)
      return false
    }
    this.#send({ message, askId: null })
    return true
  }

  ask<T>(message: (askId: AskId) => M, timeoutMs: number): Promise<Outcome<T> | Unanswered> {
    if (this.#isStopped) return Promise.resolve(STOPPED)
    // Asks that were handled but not answered yet count too: an actor may hold them back itself.
    if (Math.max(this.#waiting, this.#asks?.size ?? 0) >= (this.#shared.mailboxLimit ?? MAILBOX_LIMIT)) {
      this.#countRefused('busy')
      return Promise.resolve(fail<T>(refuse('BUSY', 'Too many requests wait for this number; try again', undefined, 1)))
    }
    const askId = this.#nextAskId++
    return new Promise((resolve) => {
      const timer = this.#shared.clock.after(timeoutMs, () => {
        this.#countRefused('timeout')
        this.reply(askId, fail(refuse('TIMEOUT', 'The request took too long; its outcome is unknown')))
      })
      this.#asks ??= new Map()
      // The value's type is the command's: the table of commands in messages.ts ties the two.
      this.#asks.set(askId, { answer: resolve as OpenAsk['answer'], timer, isHeard: false })
      this.#send({ message: message(askId), askId })
    })
  }

  reply(askId: AskId, outcome: Outcome<unknown>): void {
    const open = this.#asks?.get(askId)
    if (!open) return
    this.#asks?.delete(askId)
    open.timer.cancel()
    open.answer(outcome)
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#shared.all.delete(this)
    countActor(this.#shared, this.#behaviour.kind, -1)
    for (const { answer, timer, isHeard } of this.#asks?.values() ?? []) {
      timer.cancel()
      answer(isHeard ? INTERRUPTED : STOPPED)
    }
    this.#asks = null
    this.#send({ message: null, askId: null })
  }

  /** The view an actor has of itself: its own outcomes pass a full mailbox. */
  asSelf(): Self<M> {
    return {
      tell: (message) => {
        if (this.#isStopped) this.#giveBack(message)
        else this.#send({ message, askId: null })
      },
      reply: (askId, outcome) => this.reply(askId, outcome),
      stop: () => this.stop(),
      spawn: (name, behaviour) => this.spawn(name, behaviour),
    }
  }

  spawn<C, N extends { readonly type: string }>(name: string, behaviour: Behaviour<C, N>): ActorRef<N> {
    const child = new Actor(
      this.#shared,
      { path: `${this.#path}/`, ref: this.#ref, childLeft: () => this.#childLeft() },
      name,
      behaviour,
    )
    this.#children++
    return child
  }

  get #path(): string {
    return `${this.#parent.path}${this.name}`
  }

  #childLeft(): void {
    this.#children--
    this.#leaveTree()
  }

  #leaveTree(): void {
    if (!this.#isDrained || this.#children > 0) return
    stopActor(this.#ref)
    this.#parent.childLeft()
  }

  #send(envelope: Envelope<M>): void {
    const waiting = ++this.#waiting
    if (waiting > this.#shared.mostWaiting) {
      this.#shared.mostWaiting = waiting
      this.#shared.counters.mostWaiting.set(waiting)
    }
    dispatch(this.#ref, envelope)
  }

  #turn(envelope: Envelope<M>): void {
    this.#waiting--
    const { message } = envelope
    if (message === null) {
      this.#isDrained = true
      this.#leaveTree()
      return
    }
    if (this.#isStopped) {
      if (envelope.askId === null) this.#giveBack(message)
      return
    }
    this.#shared.counters.messages.add({ kind: this.#behaviour.kind })
    const open = envelope.askId === null ? undefined : this.#asks?.get(envelope.askId)
    if (open) open.isHeard = true
    try {
      this.#state = this.#behaviour.receive(this.#state, message, this.#self)
    } catch (error) {
      this.#crash(envelope, message, error)
    }
  }

  #selfView: Self<M> | null = null

  get #self(): Self<M> {
    this.#selfView ??= this.asSelf()
    return this.#selfView
  }

  #crash(envelope: Envelope<M>, message: M, error: unknown): void {
    this.#reportCrash(message.type, error)
    if (envelope.askId !== null) this.reply(envelope.askId, fail(refuse('INTERNAL', 'Internal error')))
    try {
      const next = this.#behaviour.crashed(this.#state, this.#self)
      if (next === null) this.stop()
      else this.#state = next
    } catch (second) {
      this.#reportCrash('crashed', second)
      this.stop()
    }
  }

  #giveBack(message: M): void {
    try {
      this.#behaviour.undelivered(message)
    } catch (error) {
      this.#reportCrash(message.type, error)
    }
  }

  #reportCrash(messageType: string, error: unknown): void {
    this.#shared.counters.crashes.add({ kind: this.#behaviour.kind })
    this.#shared.log.error({ actor: this.#path, messageType, errorCode: errorCode(error) }, 'actor crashed')
  }

  #countRefused(reason: string): void {
    this.#shared.counters.refused.add({ kind: this.#behaviour.kind, reason })
  }
}

/** Creates an actor system. One per process is enough; tests make their own. */
export function createRuntime(deps: RuntimeDeps): Runtime {
  const shared: Shared = {
    ...deps,
    system: start(),
    counters: createCounters(deps.metrics),
    alive: new Map(),
    all: new Set(),
    nextName: 1,
    mostWaiting: 0,
  }
  const root: Parent = { path: '', ref: shared.system, childLeft: () => {} }
  return {
    spawn: (name, behaviour) => new Actor(shared, root, name, behaviour),
    count: () => shared.all.size,
    mostWaiting: () => shared.mostWaiting,
    close() {
      for (const actor of shared.all) actor.stop()
      setImmediate(() => stopActor(shared.system))
    },
    forget() {
      shared.all.clear()
      stopActor(shared.system)
    },
  }
}

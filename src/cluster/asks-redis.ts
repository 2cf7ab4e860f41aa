import { fail, refuse } from '../domain/errors.ts'
import type { NodeAskId, NodeId } from '../domain/ids.ts'
import type { Asked, Asks, NodeAsk, RunAsk } from '../ports/asks.ts'
import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { AskDates } from './ask-dates.ts'
import type { ProcessTime } from './ask-dates.ts'
import { SealedMessages } from './sealed-messages.ts'
import { TakenAsks } from './taken-asks.ts'
import type { Wire } from './wire.ts'

export interface RedisAsksDeps {
  readonly wire: Wire
  /** Prefix of every channel, because installations may share a Redis. */
  readonly prefix: string
  readonly nodeId: NodeId
  /** INTERNAL_SECRET, the same on every node. */
  readonly secret: string
  readonly clock: Clock
  readonly log: Log
  /** Most asks of other nodes that are known at a time. */
  readonly mostAsks?: number
}

/**
 * our choice: characters of a message. An ask carries a body of at most 1 MB ([rest.errors.7]), sealed and in base64.
 */
const MOST_CHARACTERS = 4_000_000
/**
 * our choice: a node that has not answered is looked for this often, in ms. When nobody hears UNHEARD_LOOKS in a row,
 * the node is gone.
 */
const LOOK_MS = 1_000
const UNHEARD_LOOKS = 2
/**
 * our choice: the longest life of an ask in ms, whatever it says. It is known for as long as it can be sent again, and
 * for its answer (taken-asks.ts).
 */
const MOST_MS = 120_000
/**
 * our choice: how often an ask is dated: the first time, again when the clocks drifted apart, and again when another
 * process took the node's place.
 */
const MOST_DATES = 3

type Message =
  /**
   * An ask. `end` is when its asker stops waiting, by the clock of the process that runs it; null while the asker does
   * not know that clock.
   */
  | {
      readonly kind: 'ask'
      readonly from: NodeId
      readonly process: string
      readonly end: ProcessTime | null
      readonly ask: NodeAsk
    }
  /**
   * The present by the clock that asks are to be dated with. `refused` is the ask that did not run because it was
   * undated or over; null without one.
   */
  | { readonly kind: 'clock'; readonly from: NodeId; readonly now: ProcessTime; readonly refused: NodeAskId | null }
  /**
   * Asks for the answer of an ask of which nothing was heard, without running it. No reply means that it runs. `told`
   * is how often the ask was sent before.
   */
  | { readonly kind: 'look'; readonly from: NodeId; readonly id: NodeAskId; readonly told?: number }
  /** An answer. `told` is copied from a look, when the answer says that the ask is not known. */
  | { readonly kind: 'asked'; readonly id: NodeAskId; readonly asked: Asked; readonly told?: number }

interface Open {
  readonly nodeId: NodeId
  readonly ask: NodeAsk
  readonly endsMs: number
  readonly settle: (asked: Asked) => void
  unheard: number
  /** How often the ask was sent. */
  told: number
}

/**
 * Asks over the channels of Redis. Each node hears one channel of its own, in which asks arrive and the answers to its
 * own asks. Redis stores none of them.
 */
export class RedisAsks implements Asks {
  readonly #deps: RedisAsksDeps
  readonly #sealed: SealedMessages
  readonly #taken: TakenAsks
  readonly #dates: AskDates
  readonly #open = new Map<NodeAskId, Open>()
  #run: RunAsk = async () => null
  /** Asks of other nodes whose answer is not sent yet. */
  readonly #running = new Set<Promise<void>>()

  private constructor(deps: RedisAsksDeps) {
    this.#deps = deps
    this.#sealed = new SealedMessages(deps.secret)
    this.#taken = new TakenAsks(deps.clock, deps.mostAsks)
    this.#dates = new AskDates(deps.clock)
  }

  /** Resolves once the node hears its channel, or when Redis is away. */
  static async open(deps: RedisAsksDeps): Promise<RedisAsks> {
    const asks = new RedisAsks(deps)
    await deps.wire.subscribe(asks.#channelOf(deps.nodeId), (text) => asks.#hear(text))
    return asks
  }

  serve(run: RunAsk): void {
    this.#run = run
  }

  /** Stops hearing the channel, and sends the answers of earlier asks; waits for them up to `patienceMs`. */
  async close(patienceMs: number): Promise<void> {
    const { wire, nodeId, clock } = this.#deps
    await wire.unsubscribe(this.#channelOf(nodeId))
    const late = Promise.withResolvers<void>()
    const timer = clock.after(patienceMs, late.resolve)
    await Promise.race([Promise.all(this.#running), late.promise])
    timer.cancel()
  }

  ask(nodeId: NodeId, ask: NodeAsk): Promise<Asked> {
    const { wire, clock } = this.#deps
    if (!wire.isUp()) return Promise.resolve({ kind: 'away' })
    return new Promise((resolve) => {
      const timers: Timer[] = []
      const settle = (asked: Asked): void => {
        this.#open.delete(ask.id)
        for (const timer of timers) timer.cancel()
        resolve(asked)
      }
      const livesMs = Math.min(ask.withinMs, MOST_MS)
      timers.push(clock.after(livesMs, () => settle({ kind: 'lost' })))
      const open: Open = { nodeId, ask, endsMs: clock.monotonicMs() + livesMs, settle, unheard: 0, told: 0 }
      this.#open.set(ask.id, open)
      this.#lookLater(ask.id, timers)
      this.#tellAsk(open)
    })
  }

  #tellAsk(open: Open): void {
    const { nodeId, ask, endsMs, settle } = open
    open.told++
    const text = this.#seal(nodeId, {
      kind: 'ask',
      from: this.#deps.nodeId,
      process: this.#dates.process,
      end: this.#dates.there(nodeId, endsMs),
      ask,
    })
    if (text === null)
      return settle({
        kind: 'answered',
        outcome: fail(refuse('PAYLOAD_TOO_LARGE', 'The request is too large for the node that holds the number')),
      })
    // When it is unknown whether a node heard the ask, the looks find out.
    void this.#publish(nodeId, text).then((heard) => (heard === 0 ? settle({ kind: 'absent' }) : undefined))
  }

  /**
   * Sends a refused ask again, dated by that clock. The number of times is bounded, because somebody may replay old
   * messages.
   */
  #learn({ from, now, refused }: Message & { kind: 'clock' }): void {
    this.#dates.learn(from, now)
    const open = refused === null ? undefined : this.#open.get(refused)
    if (open && open.told < MOST_DATES) this.#tellAsk(open)
  }

  #lookLater(id: NodeAskId, timers: Timer[]): void {
    timers[1] = this.#deps.clock.after(LOOK_MS, () => {
      if (!this.#open.has(id)) return
      this.#lookLater(id, timers)
      void this.#look(id)
    })
  }

  /**
   * Asks the node for the answer, without running the ask again: a node that took it and died may be back under its
   * name.
   */
  async #look(id: NodeAskId): Promise<void> {
    const open = this.#open.get(id)
    if (!open || !this.#deps.wire.isUp()) return
    const heard = await this.#tell(open.nodeId, { kind: 'look', from: this.#deps.nodeId, id, told: open.told })
    if (heard === null) return
    open.unheard = heard === 0 ? open.unheard + 1 : 0
    if (open.unheard >= UNHEARD_LOOKS) open.settle({ kind: 'lost' })
  }

  #hear(text: string): void {
    const { nodeId, log } = this.#deps
    const message =
      text.length <= MOST_CHARACTERS ? (this.#sealed.open(text, this.#channelOf(nodeId)) as Message | null) : null
    if (message === null)
      return log.warn(
        {},
        'a message between nodes was not sealed by a node of this installation; is INTERNAL_SECRET the same on all?',
      )
    if (message.kind === 'asked') this.#hearAnswer(message)
    else if (message.kind === 'clock') this.#learn(message)
    else if (message.kind === 'ask') this.#until(this.#take(message))
    else if (message.kind === 'look') this.#until(this.#repeat(message.id, message.from, message.told))
  }

  /**
   * An answer that the ask is not known counts only when the ask was not sent again since the look: a later copy, with
   * a new date, may be running.
   */
  #hearAnswer({ id, asked, told }: Message & { kind: 'asked' }): void {
    const open = this.#open.get(id)
    if (open && (told === undefined || told === open.told)) open.settle(asked)
  }

  #until(told: Promise<void>): void {
    const running = told.finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async #take({ from, process, end, ask }: Message & { kind: 'ask' }): Promise<void> {
    if (this.#taken.isKnown(ask.id)) return this.#repeat(ask.id, from)
    const withinMs = Math.min(ask.withinMs, MOST_MS)
    const isFirst = this.#dates.isFirstOf(process)
    const leftMs = isFirst && end === null ? withinMs : this.#dates.leftMs(end, MOST_MS)
    if (isFirst || leftMs === null)
      void this.#tell(from, {
        kind: 'clock',
        from: this.#deps.nodeId,
        now: this.#dates.now(),
        refused: leftMs === null ? ask.id : null,
      })
    if (leftMs === null) return
    if (this.#taken.take(ask.id, leftMs)) {
      const outcome = await this.#run({ ...ask, withinMs })
      await this.#answer(from, ask.id, outcome === null ? { kind: 'elsewhere' } : { kind: 'answered', outcome })
    } else {
      await this.#tell(from, {
        kind: 'asked',
        id: ask.id,
        asked: {
          kind: 'answered',
          outcome: fail(refuse('BUSY', 'Too many requests wait for this node; try again', undefined, 1)),
        },
      })
    }
  }

  async #answer(to: NodeId, id: NodeAskId, asked: Asked): Promise<void> {
    const text =
      this.#seal(to, { kind: 'asked', id, asked })
      ?? this.#seal(to, {
        kind: 'asked',
        id,
        asked: { kind: 'answered', outcome: fail(refuse('INTERNAL', 'The answer is too large')) },
      })
      ?? ''
    this.#taken.answered(id, text)
    await this.#publish(to, text)
  }

  async #repeat(id: NodeAskId, to: NodeId, told?: number): Promise<void> {
    const found = this.#taken.find(id)
    if (found === 'running') return
    if (found) await this.#publish(to, found.answer)
    else await this.#tell(to, { kind: 'asked', id, asked: { kind: 'lost' }, ...(told !== undefined && { told }) })
  }

  /** Null when the message is too large. */
  #seal(to: NodeId, message: Message): string | null {
    const text = this.#sealed.seal(message, this.#channelOf(to))
    return text.length <= MOST_CHARACTERS ? text : null
  }

  async #tell(to: NodeId, message: Message): Promise<number | null> {
    const text = this.#seal(to, message)
    return text === null ? null : await this.#publish(to, text)
  }

  /** How many heard the message; null when that is unknown. */
  async #publish(to: NodeId, text: string): Promise<number | null> {
    return await this.#deps.wire.publish(this.#channelOf(to), text).catch(() => null)
  }

  #channelOf(nodeId: NodeId): string {
    return `${this.#deps.prefix}node:${nodeId}`
  }
}

import { isDeepStrictEqual } from 'node:util'
import type { BridgeAnswer, BridgeOp, BridgeOps } from '../../src/domain/device-bridge.ts'
import { openJsonSocket, type JsonFrame, type JsonSocket, type SocketEnding } from '../../src/net/json-socket.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import { NotOffered, shown, Unmet } from './finding.ts'
import { isHint } from './hints.ts'

/** An event as the engine sent it. */
export type SeenEvent = JsonFrame & { readonly ev: string; readonly seq: number }

export interface EndParts {
  /** The address of the session: the bridge's URL and `/sessions/{numberId}`. */
  readonly url: string
  /** Null sends no authorization header at all. */
  readonly token: string | null
  readonly clock: Clock
  readonly log: Log
  /** How long to wait for each answer and each event, in ms. */
  readonly patienceMs: number
}

/** The settings of a number that sets none: the engine keeps its own defaults. */
export const SETTINGS: BridgeOps['settings.set']['fields']['settings'] = {
  rejectCall: null,
  msgRejectCall: null,
  alwaysOnline: null,
  readMessages: null,
  ignoreGroups: null,
  ignoreStatus: null,
}

interface Looking {
  look(): boolean
}

/** Fields of a request: the protocol's for a known op, any for one that an engine must refuse. */
type FieldsOf<Op extends string> = Op extends BridgeOp ? BridgeOps[Op]['fields'] : Readonly<Record<string, unknown>>

/**
 * The gateway's end of one connection of a session. It records everything that the engine sends, and never reconnects
 * by itself.
 */
export class EngineEnd {
  readonly events: SeenEvent[] = []
  /** Frames that are neither an answer to a request nor an event, numbered or of those that are not. */
  readonly strays: unknown[] = []
  /** How the connection ended; null while it is open. */
  ending: SocketEnding | null = null
  /** The highest sequence number that was acknowledged on this connection; -1 before the first. */
  acked = -1
  readonly #parts: EndParts
  readonly #socket: JsonSocket
  readonly #answers = new Map<string, BridgeAnswer | null>()
  readonly #looking = new Set<Looking>()
  readonly #onEvent: (event: SeenEvent, end: EngineEnd) => void
  #lastId = 0

  constructor(parts: EndParts, onEvent: (event: SeenEvent, end: EngineEnd) => void) {
    this.#parts = parts
    this.#onEvent = onEvent
    const { url, token, clock, log } = parts
    this.#socket = openJsonSocket(
      { url, headers: token === null ? {} : { authorization: `Bearer ${token}` }, clock, log },
      {
        up: () => this.#look(),
        down: () => {},
        frame: (frame) => this.#note(frame),
        malformed: () => this.#stray('a frame that is no JSON object'),
        over: (ending) => {
          this.ending = ending
          this.#look()
        },
      },
    )
    this.#socket.setReconnect(false)
  }

  /** Waits until the upgrade succeeds, or until the connection ends instead. */
  async opened(): Promise<SocketEnding | 'open'> {
    return await this.#until('an answer to the upgrade', () => (this.#socket.isUp ? 'open' : this.ending))
  }

  /** Sends a request and waits for its answer. */
  async ask<Op extends string>(op: Op, fields: FieldsOf<Op>): Promise<BridgeAnswer> {
    const id = this.send(op, fields)
    return await this.answerTo(id, op)
  }

  /** Sends a request without waiting; returns its id. */
  send<Op extends string>(op: Op, fields: FieldsOf<Op>): string {
    // Ids are chosen by the gateway and may be any text.
    const id = `check:${++this.#lastId}/${op}`
    this.#answers.set(id, null)
    if (!this.#socket.send({ ...fields, id, op }))
      throw new Unmet(`the socket was closed (${this.closedBy()}) before ${op} could be sent`)
    return id
  }

  async answerTo(id: string, op: string): Promise<BridgeAnswer> {
    return await this.#until(`an answer to ${op}`, () => this.#answers.get(id))
  }

  /**
   * The result of a request that must succeed. With `isOptional` it throws `NotOffered` when the engine answers
   * UNSUPPORTED.
   */
  async result<Op extends BridgeOp>(op: Op, fields: FieldsOf<Op>, isOptional = false): Promise<unknown> {
    const answer = await this.ask(op, fields)
    if (answer.ok) return answer.result
    if (isOptional && answer.error.code === 'UNSUPPORTED') throw new NotOffered(`${op} is answered UNSUPPORTED`)
    throw new Unmet(`${op} was refused: ${shown(answer.error)}`)
  }

  /** Waits for an event that `accepts` returns true for; earlier events count too. */
  async event(
    what: string,
    accepts: (event: SeenEvent) => boolean,
    withinMs = this.#parts.patienceMs,
  ): Promise<SeenEvent> {
    return await this.#until(what, () => this.events.find(accepts), withinMs)
  }

  /**
   * Acknowledges events up to `seq`, and waits for the answer to a later request, so that the engine has read the
   * acknowledgement.
   */
  async acknowledge(seq: number): Promise<void> {
    this.acked = Math.max(this.acked, seq)
    this.#socket.send({ ack: seq })
    await this.ask('settings.set', { settings: SETTINGS })
  }

  /** Acknowledges every event so far. */
  async acknowledgeAll(): Promise<void> {
    const last = this.events.at(-1)
    if (last) await this.acknowledge(last.seq)
  }

  /** Cuts the connection without a close frame, as a failing network does. */
  async drop(): Promise<void> {
    this.#socket.drop()
    await this.#until('the end of the connection', () => this.ending)
  }

  /** Waits until the connection has ended, by the engine or with it. */
  async closed(withinMs = this.#parts.patienceMs): Promise<SocketEnding> {
    return await this.#until('the end of the connection', () => this.ending, withinMs)
  }

  /** Cuts the connection unless the engine is heard within `withinMs`: one whose machine is gone closes nothing. */
  probe(withinMs: number): void {
    this.#socket.probe(withinMs)
  }

  closedBy(): string {
    if (this.ending === null) return 'still open'
    return this.ending.refusedStatus === null
      ? `close code ${this.ending.closeCode}`
      : `HTTP ${this.ending.refusedStatus}`
  }

  close(): void {
    this.#socket.close()
  }

  #note(frame: JsonFrame): void {
    const { re, ev, seq } = frame
    if ('re' in frame) this.#noteAnswer(re, frame)
    else if (typeof ev === 'string' && typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0)
      this.#noteEvent({ ...frame, ev, seq })
    else if (!isHint(frame)) this.#stray(frame)
    this.#look()
  }

  #noteAnswer(re: unknown, frame: JsonFrame): void {
    const known = typeof re === 'string' ? this.#answers.get(re) : undefined
    if (typeof re !== 'string' || known === undefined) return this.#stray(frame)
    if (known !== null) return this.#stray({ again: frame })
    const answer = answerIn(re, frame)
    if (answer) this.#answers.set(re, answer)
    else this.#stray(frame)
  }

  #noteEvent(event: SeenEvent): void {
    this.events.push(event)
    this.#onEvent(event, this)
  }

  #stray(frame: unknown): void {
    this.strays.push(frame)
  }

  #look(): void {
    for (const looking of this.#looking) if (looking.look()) this.#looking.delete(looking)
  }

  /**
   * Waits until `find` returns something. Otherwise rejects with what was seen instead: the end of the connection, or
   * frames that nobody asked for.
   */
  async #until<T>(what: string, find: () => T | null | undefined, withinMs = this.#parts.patienceMs): Promise<T> {
    return await new Promise((resolve, reject) => {
      const end = (settle: () => void): true => {
        deadline.cancel()
        settle()
        return true
      }
      const looking: Looking = {
        look: () => {
          const found = find()
          if (found !== null && found !== undefined) return end(() => resolve(found))
          return (
            this.ending !== null
            && end(() =>
              reject(new Unmet(`no ${bare(what)}: the connection ended with ${this.closedBy()}${this.#strayWords()}`)),
            )
          )
        },
      }
      const deadline = this.#parts.clock.after(withinMs, () => {
        this.#looking.delete(looking)
        reject(new Unmet(`no ${bare(what)} within ${withinMs / 1000} s${this.#strayWords()}`))
      })
      if (!looking.look()) this.#looking.add(looking)
    })
  }

  #strayWords(): string {
    const stray = this.strays.at(-1)
    return stray === undefined ? '' : `; instead ${shown(stray)}, which is neither an event nor answers what was asked`
  }
}

/** Removes the article, "an answer" to "answer", so that "no" can stand before it. */
function bare(what: string): string {
  return what.replace(/^(an?|the) /, '')
}

function answerIn(re: string, frame: JsonFrame): BridgeAnswer | null {
  if (frame['ok'] === true) return { re, ok: true, result: frame['result'] }
  const error: unknown = frame['error']
  if (frame['ok'] !== false || typeof error !== 'object' || error === null) return null
  const { code, message, retryable }: { code?: unknown; message?: unknown; retryable?: unknown } = error
  if (typeof code !== 'string' || typeof message !== 'string' || typeof retryable !== 'boolean') return null
  return { re, ok: false, error: { code, message, retryable } }
}

/** Whether an event is a repetition of another: number and content are equal. */
export function isSameEvent(a: SeenEvent, b: SeenEvent): boolean {
  return isDeepStrictEqual(a, b)
}

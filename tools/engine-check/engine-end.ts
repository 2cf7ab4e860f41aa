import { isDeepStrictEqual } from 'node:util'
import type { BridgeAnswer, BridgeOp, BridgeOps } from '../../src/domain/device-bridge.ts'
import { openJsonSocket, type JsonFrame, type JsonSocket, type SocketEnding } from '../../src/net/json-socket.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import { NotOffered, shown, Unmet } from './finding.ts'

/** An event as it came. */
export type SeenEvent = JsonFrame & { readonly ev: string; readonly seq: number }

export interface EndParts {
  /** Of the session: the bridge's URL and `/sessions/{numberId}`. */
  readonly url: string
  /** Null: no header at all. */
  readonly token: string | null
  readonly clock: Clock
  readonly log: Log
  /** For each answer and each event, ms. */
  readonly patienceMs: number
}

/** Of a number that asks for nothing: each as the engine does it by itself. */
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

/** Fields of any request: known ones as the protocol says, others for what an engine must refuse. */
type FieldsOf<Op extends string> = Op extends BridgeOp ? BridgeOps[Op]['fields'] : Readonly<Record<string, unknown>>

/**
 * The gateway's end of one connection of a session, which notes all that the engine says there. It is never opened
 * again by itself.
 */
export class EngineEnd {
  readonly events: SeenEvent[] = []
  /** Frames that are neither an answer to a request nor an event with a number. */
  readonly strays: unknown[] = []
  /** How it ended; null while it lives. */
  ending: SocketEnding | null = null
  /** The highest number that was acknowledged here. */
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

  /** Waits for the upgrade, or for what came instead of it. */
  async opened(): Promise<SocketEnding | 'open'> {
    return await this.#until('an answer to the upgrade', () => (this.#socket.isUp ? 'open' : this.ending))
  }

  /** Asks, and waits for the answer. */
  async ask<Op extends string>(op: Op, fields: FieldsOf<Op>): Promise<BridgeAnswer> {
    const id = this.send(op, fields)
    return await this.answerTo(id, op)
  }

  /** Sends a request without waiting; answers its id. */
  send<Op extends string>(op: Op, fields: FieldsOf<Op>): string {
    // Ids are the gateway's: a text of any form.
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
   * The result of a request that has to succeed. Of one that the engine need not know, `NotOffered` is thrown where it
   * says so.
   */
  async result<Op extends BridgeOp>(op: Op, fields: FieldsOf<Op>, isOptional = false): Promise<unknown> {
    const answer = await this.ask(op, fields)
    if (answer.ok) return answer.result
    if (isOptional && answer.error.code === 'UNSUPPORTED') throw new NotOffered(`${op} is answered UNSUPPORTED`)
    throw new Unmet(`${op} was refused: ${shown(answer.error)}`)
  }

  /** Waits for an event that this accepts, among those that came already too. */
  async event(
    what: string,
    accepts: (event: SeenEvent) => boolean,
    withinMs = this.#parts.patienceMs,
  ): Promise<SeenEvent> {
    return await this.#until(what, () => this.events.find(accepts), withinMs)
  }

  /** Acknowledges up to `seq`, and lets a request pass behind it, so that the engine has taken it in. */
  async acknowledge(seq: number): Promise<void> {
    this.acked = Math.max(this.acked, seq)
    this.#socket.send({ ack: seq })
    await this.ask('settings.set', { settings: SETTINGS })
  }

  /** Acknowledges whatever came. */
  async acknowledgeAll(): Promise<void> {
    const last = this.events.at(-1)
    if (last) await this.acknowledge(last.seq)
  }

  /** Cuts the connection without a word, as a failing network does. */
  async drop(): Promise<void> {
    this.#socket.drop()
    await this.#until('the end of the connection', () => this.ending)
  }

  /** Waits until the engine closed the connection. */
  async closed(): Promise<SocketEnding> {
    return await this.#until('the end of the connection', () => this.ending)
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
    else this.#stray(frame)
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
   * Waits until `find` gives something. What was seen instead is told: the end of the connection, or frames that nobody
   * asked for.
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

/** "an answer" -> "answer", so that "no" may stand before it. */
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

/** The same event told again: number and content are the same. */
export function isSameEvent(a: SeenEvent, b: SeenEvent): boolean {
  return isDeepStrictEqual(a, b)
}

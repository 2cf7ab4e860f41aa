import { z } from 'zod'
import { BRIDGE_CALL_STATES } from '../../domain/device-bridge.ts'
import type { BridgeError, BridgeOp, BridgeOps } from '../../domain/device-bridge.ts'
import { byWord, mended } from '../../domain/device-ops.ts'
import type { DeviceWord, Repeat } from '../../domain/device-ops.ts'
import { lacks, notOfEngine } from '../../domain/engine.ts'
import type { EngineCapability, EngineFacts } from '../../domain/engine.ts'
import type { CallMediaKind } from '../../domain/call-media.ts'
import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { isSameJson } from '../../domain/json-fields.ts'
import { PROVIDER_REQUEST_MS } from '../../domain/limits.ts'
import { NAME_CHARACTERS, storableJson } from '../../domain/storable.ts'
import type { JsonFrame } from '../../net/json-socket.ts'
import { RequestTable } from '../../net/json-requests.ts'
import type { Reply, RequestRules } from '../../net/json-requests.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Counter } from '../../ports/metrics.ts'
import { capabilityFor, readEngineFacts } from './engine-facts.ts'
import { BAD_ANSWER, LINK_LOST, NO_ANSWER, NO_LINK, refusalOf } from './error-map.ts'
import { otherLid, otherPhone } from './peer-events.ts'
import type { PeerOfMessage } from './peer-events.ts'

/** Our choice: a request that must not be sent twice waits this long for a link that is down. */
export const LINK_WAIT_MS = 3_000

const EMPTY = z.unknown().transform((): Record<string, never> => ({}))

const text = z.string().min(1)
/** An id that is looked up. */
const id = text.max(NAME_CHARACTERS)

/** The answer to `message.send`, with what the engine names the reader by. */
export interface TakenMessage {
  readonly externalMessageId: string
  readonly peer: PeerOfMessage
}

/** Results that this version reads; of the others only their arrival matters. */
type Results = { readonly [O in Exclude<BridgeOp, 'session.start' | 'message.send'>]: BridgeOps[O]['result'] } & {
  readonly 'session.start': EngineFacts | null
  readonly 'message.send': TakenMessage
}
type Result<O extends BridgeOp> = Results[O]

/** The types of each answer derive from its row. */
const DEVICE_RESULTS = byWord(({ answer }) => answer(mended)) as { readonly [W in DeviceWord]: z.ZodType<Result<W>> }

const RESULTS: { readonly [O in BridgeOp]: z.ZodType<Result<O>> } = {
  ...DEVICE_RESULTS,
  'session.start': z.unknown().transform(readEngineFacts),
  'session.pairing_code': EMPTY,
  'session.logout': EMPTY,
  'settings.set': EMPTY,
  'message.send': z
    .object({ externalMessageId: id, number: otherPhone, lid: otherLid })
    .transform(({ externalMessageId, number: phone, lid }) => ({ externalMessageId, peer: { phone, lid } })),
  'message.read': EMPTY,
  'call.offer': z.object({ callId: id }),
  'call.accept': EMPTY,
  'call.reject': EMPTY,
  'call.terminate': EMPTY,
  // Our choice: a listed call in an unknown state counts as live.
  'calls.list': z.array(
    z.object({ callId: id, callRef: id.nullable().catch(null), state: z.enum(BRIDGE_CALL_STATES).catch('CONNECTED') }),
  ),
}

const ANSWER = z.union([
  z.object({ ok: z.literal(true), result: z.unknown().optional() }),
  z.object({
    ok: z.literal(false),
    error: z.object({ code: z.string(), message: z.string().catch(''), retryable: z.boolean().catch(false) }),
  }),
])

/** An outcome, with the engine's own error when it refused. */
export type EngineOutcome<T> = Outcome<T> & { readonly engineError?: BridgeError }

export interface EngineRequestsOptions {
  readonly clock: Clock
  readonly send: (frame: JsonFrame) => boolean
  /** Labels: op, outcome (ok, or our refusal code). */
  readonly counter: Counter
  /** What was known of the engine; null when nothing was. */
  readonly engine: EngineFacts | null
}

export interface AskOptions<Result> {
  /** Called with a result that comes after the time was up. */
  readonly onLate?: (result: Result) => void
  /** Time for the answer, ms; default PROVIDER_REQUEST_MS. */
  readonly timeoutMs?: number
}

/** Requests to one engine, each answered exactly once within its time. */
export class EngineRequests {
  /** What the engine last said of itself. */
  #engine: EngineFacts | null
  readonly #table: RequestTable
  readonly #counter: Counter
  #lastId = 0

  constructor({ clock, send, counter, engine }: EngineRequestsOptions) {
    this.#engine = engine
    this.#table = new RequestTable({ clock, send, unsentWaitMs: LINK_WAIT_MS })
    this.#counter = counter
  }

  /** The kind of audio leg that calls are offered with: the first that the engine names. */
  get callMedia(): CallMediaKind {
    return this.#engine?.callMedia?.[0] ?? 'webrtc'
  }

  /**
   * Sends the first request of a connection, before all that waits. Answers what the engine says of itself, and whether
   * that differs from what was known.
   */
  async start(
    fields: BridgeOps['session.start']['fields'],
  ): Promise<EngineOutcome<{ readonly engine: EngineFacts | null; readonly isNew: boolean }>> {
    const outcome = await this.#request('session.start', fields, { isResendable: false, isGreeting: true })
    if (!outcome.ok) return outcome
    const known = this.#engine
    this.#engine = outcome.value
    return succeed({ engine: outcome.value, isNew: !isSameJson(known, outcome.value) })
  }

  /** Asks the engine. Answers FEATURE_NOT_SUPPORTED without asking when the engine has said that it cannot do it. */
  async ask<O extends BridgeOp>(
    op: O,
    fields: BridgeOps[O]['fields'],
    repeat: Repeat,
    { onLate, timeoutMs }: AskOptions<Result<O>> = {},
  ): Promise<EngineOutcome<Result<O>>> {
    const needed = capabilityFor(op, fields)
    const refusal = needed && this.refusalOf(needed)
    if (refusal) {
      this.#counter.add({ op, outcome: refusal.code })
      return { ...fail(refusal), engineError: UNASKED }
    }
    const onLateAnswer = (frame: JsonFrame): void => {
      const late = this.#read(op, fields, frame)
      if (late.ok) onLate?.(late.value)
    }
    return this.#request(op, fields, {
      isResendable: repeat === 'again',
      ...(onLate ? { onLateAnswer } : {}),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })
  }

  /** The refusal of what the engine has said that it cannot do; null when it may be asked. */
  refusalOf(capability: EngineCapability): Refusal | null {
    return lacks(this.#engine, capability) ? notOfEngine(this.#engine, capability) : null
  }

  /** Sends the waiting requests. */
  ready(): void {
    this.#table.ready()
  }

  dropped(): void {
    this.#table.dropped()
  }

  /** False when nobody waits for this answer. */
  answer(frame: JsonFrame): boolean {
    return this.#table.answer(frame['re'], frame)
  }

  end(): void {
    this.#table.end()
  }

  async #request<O extends BridgeOp>(
    op: O,
    fields: BridgeOps[O]['fields'],
    rules: Omit<RequestRules, 'timeoutMs'> & { timeoutMs?: number },
  ): Promise<EngineOutcome<Result<O>>> {
    this.#lastId += 1
    const reply = await this.#table.request(
      { ...fields, id: `r${this.#lastId}`, op },
      { timeoutMs: PROVIDER_REQUEST_MS, ...rules },
    )
    const outcome = reply.kind === 'answered' ? this.#read(op, fields, reply.frame) : fail(refusalOfReply(reply))
    this.#counter.add({ op, outcome: outcome.ok ? 'ok' : outcome.error.code })
    return outcome
  }

  #read<O extends BridgeOp>(op: O, fields: BridgeOps[O]['fields'], frame: JsonFrame): EngineOutcome<Result<O>> {
    const answer = ANSWER.safeParse(storableJson(frame))
    if (!answer.success) return fail(BAD_ANSWER)
    if (!answer.data.ok) {
      const { error } = answer.data
      return {
        ...fail(refusalOf(error, { engine: this.#engine, capability: capabilityFor(op, fields) })),
        engineError: error,
      }
    }
    const result = RESULTS[op].safeParse(answer.data.result)
    return result.success ? succeed(result.data) : fail(BAD_ANSWER)
  }
}

/** What an engine that said it cannot do this would have answered. */
const UNASKED: BridgeError = { code: 'UNSUPPORTED', message: '', retryable: false }

function refusalOfReply(reply: Exclude<Reply, { kind: 'answered' }>): Refusal {
  switch (reply.kind) {
    case 'timeout':
      return NO_ANSWER
    case 'dropped':
      return LINK_LOST
    case 'unsent':
      return NO_LINK
  }
}

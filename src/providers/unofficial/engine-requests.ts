import { z } from 'zod'
import type { BridgeError, BridgeOp, BridgeOps } from '../../domain/device-bridge.ts'
import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { PROVIDER_REQUEST_MS } from '../../domain/limits.ts'
import { toDigits } from '../../domain/phone.ts'
import type { JsonFrame } from '../../net/json-socket.ts'
import { RequestTable } from '../../net/json-requests.ts'
import type { Reply, RequestRules } from '../../net/json-requests.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Counter } from '../../ports/metrics.ts'
import { BAD_ANSWER, LINK_LOST, NO_ANSWER, NO_LINK, refusalOf } from './error-map.ts'

/** Our choice: a request that must not be sent twice waits this long for a link that is down. */
export const LINK_WAIT_MS = 3_000

const EMPTY = z.unknown().transform((): Record<string, never> => ({}))

const text = z.string().min(1)
/** Digits; another form stays as it is. */
const digits = text.transform((number) => toDigits(number) ?? number)
const summary = z.object({ id: text, name: z.string().catch('') })
const group = summary.extend({ participants: z.array(z.object({ number: digits, isAdmin: z.boolean().catch(false) })).catch([]) })

/** Results this version reads; of the others it matters only that they came. */
const RESULTS: { readonly [O in BridgeOp]: z.ZodType<BridgeOps[O]['result']> } = {
  'session.start': EMPTY,
  'session.logout': EMPTY,
  'settings.set': EMPTY,
  'message.send': z.object({ externalMessageId: text }),
  'message.read': EMPTY,
  'number.check': z.array(z.object({ input: text, exists: z.boolean(), number: digits.nullable().catch(null), name: text.nullable().catch(null) })),
  'group.list': z.array(summary),
  'group.create': group,
  'group.get': group,
  'group.participants': group,
  'newsletter.list': z.array(summary),
  'call.offer': z.object({ callId: text }),
  'call.accept': EMPTY,
  'call.reject': EMPTY,
  'call.terminate': EMPTY,
}

const ANSWER = z.union([
  z.object({ ok: z.literal(true), result: z.unknown().optional() }),
  z.object({
    ok: z.literal(false),
    error: z.object({ code: z.string(), message: z.string().catch(''), retryable: z.boolean().catch(false) }),
  }),
])

/** An outcome, with the engine's own error where it refused. */
export type EngineOutcome<T> = Outcome<T> & { readonly engineError?: BridgeError }

/**
 * Whether an op may be sent again after the link broke under it: `once` must not (a second call
 * would be placed), `again` may (the engine deduplicates, or twice is the same as once).
 */
export type Repeat = 'once' | 'again'

export interface EngineRequestsOptions {
  readonly clock: Clock
  readonly send: (frame: JsonFrame) => boolean
  /** Labels: op, outcome (ok, or our refusal code). */
  readonly counter: Counter
}

export interface AskOptions<Result> {
  /** Receives a result that comes after the time was up. */
  readonly onLate?: (result: Result) => void
  /** Default PROVIDER_REQUEST_MS. */
  readonly timeoutMs?: number
}

/** Requests to one engine, each answered exactly once within its time. */
export class EngineRequests {
  readonly #table: RequestTable
  readonly #counter: Counter
  #lastId = 0

  constructor({ clock, send, counter }: EngineRequestsOptions) {
    this.#table = new RequestTable({ clock, send, unsentWaitMs: LINK_WAIT_MS })
    this.#counter = counter
  }

  /** The first request of a connection; goes out before all that waits. */
  async start(fields: BridgeOps['session.start']['fields']): Promise<EngineOutcome<Record<string, never>>> {
    return this.#request('session.start', fields, { isResendable: false, isGreeting: true })
  }

  async ask<O extends BridgeOp>(
    op: O, fields: BridgeOps[O]['fields'], repeat: Repeat, { onLate, timeoutMs }: AskOptions<BridgeOps[O]['result']> = {},
  ): Promise<EngineOutcome<BridgeOps[O]['result']>> {
    const onLateAnswer = (frame: JsonFrame): void => {
      const late = readAnswer(op, frame)
      if (late.ok) onLate?.(late.value)
    }
    return this.#request(op, fields, { isResendable: repeat === 'again', ...(onLate ? { onLateAnswer } : {}), ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  }

  /** Waiting requests go out. */
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
    op: O, fields: BridgeOps[O]['fields'], rules: Omit<RequestRules, 'timeoutMs'> & { timeoutMs?: number },
  ): Promise<EngineOutcome<BridgeOps[O]['result']>> {
    this.#lastId += 1
    const reply = await this.#table.request({ ...fields, id: `r${this.#lastId}`, op }, { timeoutMs: PROVIDER_REQUEST_MS, ...rules })
    const outcome = reply.kind === 'answered' ? readAnswer(op, reply.frame) : fail(refusalOfReply(reply))
    this.#counter.add({ op, outcome: outcome.ok ? 'ok' : outcome.error.code })
    return outcome
  }
}

function readAnswer<O extends BridgeOp>(op: O, frame: JsonFrame): EngineOutcome<BridgeOps[O]['result']> {
  const answer = ANSWER.safeParse(frame)
  if (!answer.success) return fail(BAD_ANSWER)
  if (!answer.data.ok) return { ...fail(refusalOf(answer.data.error)), engineError: answer.data.error }
  const result = RESULTS[op].safeParse(answer.data.result)
  return result.success ? succeed(result.data) : fail(BAD_ANSWER)
}

function refusalOfReply(reply: Exclude<Reply, { kind: 'answered' }>): Refusal {
  switch (reply.kind) {
    case 'timeout': return NO_ANSWER
    case 'dropped': return LINK_LOST
    case 'unsent': return NO_LINK
  }
}

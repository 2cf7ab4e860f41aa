import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { Outcome, Refusal } from '../../src/domain/errors.ts'
import type { UpstreamWrite } from '../../src/ports/official/write.ts'

/** `before`: the request had no effect. `after`: it took effect and the answer was lost. `unsent`: no byte was sent. */
export type Fault =
  | 'lost before'
  | 'lost after'
  | 'unsent'
  | 'throttled'
  | { readonly code: number | null; readonly subcode?: number; readonly message?: string }

/** The platform did not answer. */
export const AWAY: Refusal = refuse('OFFICIAL_ERROR', 'The official platform did not answer.', {
  upstreamCode: null,
  upstreamMessage: 'no answer',
})
export const THROTTLED: Refusal = refuse('OFFICIAL_THROTTLED', 'slowly')

/** A platform behind a port, with faults in the order in which they happen. */
export class ScriptedPort<Op extends string> {
  readonly asked: string[] = []
  readonly #faults = new Map<Op, Fault[]>()
  /** Runs before an answer is returned. */
  beforeAnswer: (op: Op) => Promise<void> = async () => {}

  fault(op: Op, ...faults: Fault[]): void {
    this.#faults.set(op, [...(this.#faults.get(op) ?? []), ...faults])
  }

  protected async answerWrite<T>(op: Op, done: () => UpstreamWrite<T>): Promise<UpstreamWrite<T>> {
    this.asked.push(op)
    const fault = this.#faults.get(op)?.shift()
    if (fault === 'lost before') return { kind: 'unknown', refusal: AWAY }
    if (fault === 'unsent') return { kind: 'unsent', refusal: AWAY }
    if (fault === 'throttled') return { kind: 'unsent', refusal: THROTTLED }
    if (typeof fault === 'object')
      return {
        kind: 'refused',
        no: {
          upstreamCode: fault.code,
          upstreamSubcode: fault.subcode ?? null,
          upstreamMessage: fault.message ?? 'No',
        },
      }
    const answer = done()
    await this.beforeAnswer(op)
    return fault === 'lost after' ? { kind: 'unknown', refusal: AWAY } : answer
  }

  protected async answerRead<T>(op: Op, done: () => T): Promise<Outcome<T>> {
    this.asked.push(op)
    const fault = this.#faults.get(op)?.shift()
    if (fault !== undefined) return fail(fault === 'throttled' ? THROTTLED : AWAY)
    const value = done()
    await this.beforeAnswer(op)
    return succeed(value)
  }
}

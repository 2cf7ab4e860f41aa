import { fieldsIn, textIn, type Fields } from '../../../src/domain/json-fields.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { GraphError, managed } from '../http/graph-error.ts'
import type { FlowShelf } from './flow-shelf.ts'
import type { PlatformFlow } from './flow.ts'

const HOUR_MS = 3_600_000
/** Upstream's limit of messages with a THROTTLED Flow in an hour. */
const THROTTLED_MAX = 10

/** Decides which Flows of an account can be sent, and how often; `named` has `flow_id` or `flow_name`. */
export class FlowSends {
  readonly #clock: Clock
  readonly #shelf: FlowShelf

  constructor(clock: Clock, shelf: FlowShelf) {
    this.#clock = clock
    this.#shelf = shelf
  }

  /** Refuses a Flow that a button of a template cannot open. */
  assertPublished(accountId: string, named: Fields): void {
    const flow = this.#shelf.meant(accountId, named)
    if (!flow) throw managed(100, 'Flow does not exist', 'The Flow of a button is not in this account.')
    if (flow.status !== 'PUBLISHED')
      throw managed(
        100,
        'Flow is not published',
        `The Flow of a button has to be published; this one is in status ${flow.status}.`,
      )
  }

  /** Counts a message with a Flow, or refuses it. */
  take(accountId: string, named: Fields, isDraft: boolean): void {
    const flow = this.#shelf.meant(accountId, named)
    if (!flow) throw new GraphError(100, { details: 'There is no such Flow in this account' })
    this.#assertMode(flow, isDraft)
    const nowMs = this.#clock.now()
    const within = flow.sentAtMs.filter((atMs) => atMs > nowMs - HOUR_MS)
    if (flow.status === 'THROTTLED' && within.length >= THROTTLED_MAX)
      throw new GraphError(132069, {
        details: `Flow (${flow.id}) is throttled: ${THROTTLED_MAX} messages with it were sent in the last hour`,
      })
    flow.sentAtMs = [...within, nowMs]
  }

  /** Counts the Flow of a valid interactive message, or refuses it. */
  takeMessage(accountId: string, content: unknown): void {
    const parameters = fieldsIn(fieldsIn(content as Fields, 'action'), 'parameters')
    this.take(accountId, parameters, textIn(parameters, 'mode') === 'draft')
  }

  #assertMode({ id, status }: PlatformFlow, isDraft: boolean): void {
    if (status === 'BLOCKED') throw new GraphError(132068, { details: `Flow (${id}) is blocked` })
    if (status === 'DEPRECATED') throw new GraphError(131009, { details: `Flow (${id}) is deprecated` })
    if ((status === 'DRAFT') !== isDraft)
      throw new GraphError(131009, {
        details: `Flow (${id}) is in status ${status}, which mode ${isDraft ? 'draft' : 'published'} is not for`,
      })
  }
}

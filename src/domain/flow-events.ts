import { flowStatusOf } from './flow-upstream.ts'
import type { FlowStatus } from './flow.ts'
import { own, textIn } from './json-fields.ts'
import type { Fields } from './json-fields.ts'

/** What a webhook of an account tells of one of its Flows. */
export interface FlowNews {
  /** Digits. */
  readonly externalId: string
  /**
   * The status it has now; null where only upstream can tell what is so: other events, and words that nobody knows yet.
   */
  readonly status: FlowStatus | null
}

const STATUS_CHANGE = 'FLOW_STATUS_CHANGE'

/** Reads which Flow is told of; null for none. A number beyond 2^53 has lost digits, and names none. */
export function flowNewsOf(value: Fields): FlowNews | null {
  const id = own(value, 'flow_id')
  const externalId =
    typeof id === 'number' ? (Number.isSafeInteger(id) ? String(id) : '') : (textIn(value, 'flow_id') ?? '')
  if (!/^\d{1,64}$/.test(externalId)) return null
  const isStatus = textIn(value, 'event')?.toUpperCase() === STATUS_CHANGE
  return { externalId, status: isStatus ? flowStatusOf(textIn(value, 'new_status')?.toUpperCase() ?? '') : null }
}

export interface FlowDecision {
  /** The status that was told is written. */
  readonly changes: boolean
  /** Upstream is asked what is so. */
  readonly asks: boolean
}

/**
 * What news make of a row. `at` is their `entry.time`: what is older than the last applied is ignored. Of two in one
 * second the later told counts until upstream was asked: the other may be the newer. What answers of requests changed
 * has no time of upstream's: news that lead back, into a draft or out of DEPRECATED, may be older, and upstream is
 * asked, too.
 */
export function decideFlowNews(
  { status }: FlowNews,
  at: Date,
  { officialStatus, statusAt }: { readonly officialStatus: FlowStatus; readonly statusAt: Date | null },
): FlowDecision {
  if (status === null) return { changes: false, asks: true }
  const sinceLastMs = statusAt === null ? null : at.getTime() - statusAt.getTime()
  if (sinceLastMs !== null && sinceLastMs < 0) return { changes: false, asks: false }
  if (status === officialStatus) return { changes: true, asks: false }
  const leadsBack = status === 'DRAFT' || officialStatus === 'DEPRECATED'
  return { changes: !leadsBack, asks: leadsBack || sinceLastMs === 0 }
}

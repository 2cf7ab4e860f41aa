import { flowStatusOf } from './flow-upstream.ts'
import type { FlowStatus } from './flow.ts'
import { own, textIn } from './json-fields.ts'
import type { Fields } from './json-fields.ts'

/** What a webhook of an account tells of one of its Flows. */
export interface FlowNews {
  /** Digits. */
  readonly externalId: string
  /** The status that the Flow has now; null when only upstream can tell it: for other events, and unknown words. */
  readonly status: FlowStatus | null
}

const STATUS_CHANGE = 'FLOW_STATUS_CHANGE'

/** Reads which Flow is told of; null when there is none. A number beyond 2^53 has lost digits, and names none. */
export function flowNewsOf(value: Fields): FlowNews | null {
  const id = own(value, 'flow_id')
  const externalId =
    typeof id === 'number' ? (Number.isSafeInteger(id) ? String(id) : '') : (textIn(value, 'flow_id') ?? '')
  if (!/^\d{1,64}$/.test(externalId)) return null
  const isStatus = textIn(value, 'event')?.toUpperCase() === STATUS_CHANGE
  return { externalId, status: isStatus ? flowStatusOf(textIn(value, 'new_status')?.toUpperCase() ?? '') : null }
}

/**
 * What becomes of a row: `CHANGE` writes the status that was told, `REREAD` asks upstream what holds, `DOUBT` does the
 * same and writes what was told where upstream cannot be read.
 */
export type FlowDecision = 'NONE' | 'CHANGE' | 'REREAD' | 'DOUBT'

/**
 * Decides what news makes of a row. `at` is its `entry.time`: news older than the last applied is ignored, and of two
 * in one second either may be the newer. What the service itself changed or read has no time of upstream's, so older
 * news may come behind it.
 */
export function decideFlowNews(
  { status }: FlowNews,
  at: Date,
  { officialStatus, statusAt }: { readonly officialStatus: FlowStatus; readonly statusAt: Date | null },
): FlowDecision {
  if (status === null) return 'REREAD'
  if (statusAt !== null && at.getTime() < statusAt.getTime()) return 'NONE'
  if (status === officialStatus) return 'CHANGE'
  if (status === 'DRAFT' || officialStatus === 'DEPRECATED') return 'REREAD'
  // A Flow leaves DRAFT once, and enters DEPRECATED once.
  if (officialStatus === 'DRAFT' || status === 'DEPRECATED') return 'CHANGE'
  return statusAt !== null && at.getTime() > statusAt.getTime() ? 'CHANGE' : 'DOUBT'
}

import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'
import { FLOW_CATEGORIES, FLOW_HEALTHS, FLOW_STATUSES } from './flow.ts'
import type { FlowCategory, FlowHealth, FlowStatus } from './flow.ts'

/** Upstream's words about Flows, and what they are here (contract 11). */

/** Our status for upstream's word; null for one that nobody knows yet. */
export function flowStatusOf(word: string): FlowStatus | null {
  return FLOW_STATUSES.find((status) => status === word) ?? null
}

/** Our word for upstream's; UNKNOWN for one that nobody knows yet. */
export function flowHealthOf(word: string): FlowHealth {
  return FLOW_HEALTHS.find((health) => health === word) ?? 'UNKNOWN'
}

/** Our choice: categories that nobody knows yet are OTHER. */
export function flowCategoriesOf(words: readonly string[]): FlowCategory[] {
  const known = words.map((word) => FLOW_CATEGORIES.find((category) => category === word) ?? 'OTHER')
  return known.length === 0 ? ['OTHER'] : [...new Set(known)]
}

/** Codes that say the Flow's state does not allow it: only a read tells which it is (contract 11). */
const STATE_CODES: ReadonlySet<number | null> = new Set([139_001, 139_002, 139_003, 139_004])
/** Upstream's code for parameters, a name that is taken among them. */
const INVALID_PARAMETER = 100

export function isOfState(code: number | null): boolean {
  return STATE_CODES.has(code)
}

/** Whether a refusal may be about a name that is taken: who has it, a look-up tells. */
export function mayBeTaken(code: number | null): boolean {
  return code === INVALID_PARAMETER
}

/** The refusal of what upstream decided against, in its words (contract 11). */
export function flowRefusalOf({
  upstreamCode,
  upstreamMessage,
}: {
  readonly upstreamCode: number | null
  readonly upstreamMessage: string
}): Refusal {
  return refuse('OFFICIAL_REQUEST_REFUSED', upstreamMessage || 'The official platform refused the request.', {
    upstreamCode,
    upstreamMessage,
  })
}

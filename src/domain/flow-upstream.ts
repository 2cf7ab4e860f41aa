import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'
import { FLOW_CATEGORIES, FLOW_HEALTHS, FLOW_STATUSES } from './flow.ts'
import type { FlowCategory, FlowHealth, FlowStatus } from './flow.ts'

/** Upstream's words about Flows, and what they are here ([flows.object.4] to [flows.object.7]). */

/** Reads upstream's word for a status; null for an unknown one. */
export function flowStatusOf(word: string): FlowStatus | null {
  return FLOW_STATUSES.find((status) => status === word) ?? null
}

/** Reads upstream's word for the health of a Flow; UNKNOWN for an unknown one. */
export function flowHealthOf(word: string): FlowHealth {
  return FLOW_HEALTHS.find((health) => health === word) ?? 'UNKNOWN'
}

/** Reads upstream's categories. Our choice: unknown ones are OTHER. */
export function flowCategoriesOf(words: readonly string[]): FlowCategory[] {
  const known = words.map((word) => FLOW_CATEGORIES.find((category) => category === word) ?? 'OTHER')
  return known.length === 0 ? ['OTHER'] : [...new Set(known)]
}

/**
 * Codes by which upstream says that the Flow's state forbids the write: only a read tells which state
 * ([flows.document.6]).
 */
const STATE_CODES: ReadonlySet<number | null> = new Set([139_001, 139_002, 139_003, 139_004])
/** Upstream's code for wrong parameters, a name that is taken among them. */
const INVALID_PARAMETER = 100

export function isOfState(code: number | null): boolean {
  return STATE_CODES.has(code)
}

/** True when a refusal may be about a name that is taken: a look-up tells who has it. */
export function mayBeTaken(code: number | null): boolean {
  return code === INVALID_PARAMETER
}

/** Makes the refusal of what upstream decided against, in its words ([flows.errors.18]). */
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

import type { FlowCategory, FlowHealth, FlowStatus } from '../../../../src/domain/flow.ts'
import type { Tone } from '../../ground/shown.tsx'
import type { DocumentFault } from '../flow/lines.ts'

/** A Flow as the service answers it ([flows.object.1]); what the pages use of it. */
export interface ListedFlow {
  readonly id: string
  /** Null until it reached upstream. */
  readonly officialFlowId: string | null
  readonly name: string
  readonly officialStatus: FlowStatus
  readonly categories: readonly FlowCategory[]
  readonly healthStatus: FlowHealth
  readonly validationErrors: readonly DocumentFault[]
  readonly previewUrl: string | null
  readonly clonedFromFlowId: string | null
  readonly supersededByFlowId: string | null
  readonly syncError: { readonly code: string; readonly message: string } | null
  readonly updatedAt: string
}

export const STATUS_TONES: Readonly<Record<FlowStatus, Tone>> = {
  DRAFT: 'calm',
  PUBLISHED: 'good',
  DEPRECATED: 'calm',
  THROTTLED: 'warn',
  BLOCKED: 'bad',
}

/** Whether an event tells of Flows: upstream's field `flows` ([events.native.4]). */
export function isOfFlows({ event }: { readonly event: string }): boolean {
  return event === 'flows'
}

/** Where the Flows of a number are listed; null for the first number. */
export function flowsPage(number: string | null): string {
  return number === null ? '/dashboard/flows' : `/dashboard/flows?number=${encodeURIComponent(number)}`
}

/** The address of a Flow's page. A Flow is read for a number, so the address names the number. */
export function flowPage(id: string, number: string): string {
  return `/dashboard/flows/${encodeURIComponent(id)}?number=${encodeURIComponent(number)}`
}

import type { FlowCategory, FlowHealth, FlowStatus } from '../../../../src/domain/flow.ts'
import type { Tone } from '../../ground/shown.tsx'

/** What upstream finds wrong with a document, in its own words ([flows.object.1]). */
export interface DocumentFault {
  readonly error?: string
  readonly message?: string
  readonly line_start?: number
  readonly column_start?: number
}

/** A Flow as the service answers it ([flows.object.1]); what the pages use of it. */
export interface ListedFlow {
  readonly id: string
  readonly name: string
  readonly officialStatus: FlowStatus
  readonly categories: readonly FlowCategory[]
  readonly healthStatus: FlowHealth
  readonly validationErrors: readonly DocumentFault[]
  readonly previewUrl: string | null
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

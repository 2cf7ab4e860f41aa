import type { FlowId } from './ids.ts'
import type { Fields } from './json-fields.ts'

/** States of a Flow ([flows.object.4]). */
export const FLOW_STATUSES = ['DRAFT', 'PUBLISHED', 'DEPRECATED', 'THROTTLED', 'BLOCKED'] as const
export type FlowStatus = (typeof FLOW_STATUSES)[number]

/** Categories of a Flow ([flows.object.7]). */
export const FLOW_CATEGORIES = [
  'SIGN_UP',
  'SIGN_IN',
  'APPOINTMENT_BOOKING',
  'LEAD_GENERATION',
  'SHOPPING',
  'CONTACT_US',
  'CUSTOMER_SUPPORT',
  'SURVEY',
  'OTHER',
] as const
export type FlowCategory = (typeof FLOW_CATEGORIES)[number]

/** What the button of a message does: it opens a screen, or asks the Flow's endpoint for one. */
export const FLOW_ACTIONS = ['navigate', 'data_exchange'] as const
export type FlowAction = (typeof FLOW_ACTIONS)[number]

/** Whether upstream lets the Flow be sent ([flows.object.6]). */
export const FLOW_HEALTHS = ['AVAILABLE', 'LIMITED', 'BLOCKED', 'UNKNOWN'] as const
export type FlowHealth = (typeof FLOW_HEALTHS)[number]

/** Why upstream refused a Flow that was brought up after its creation was answered. */
export interface FlowSyncError {
  readonly code: string
  readonly message: string
}

/** A form inside the chat, as clients see it ([flows.object.1]). */
export interface Flow {
  readonly id: FlowId
  /** Upstream's id, digits beyond 2^53; null until the Flow reached upstream ([flows.object.3]). */
  readonly officialFlowId: string | null
  readonly name: string
  readonly officialStatus: FlowStatus
  readonly categories: readonly FlowCategory[]
  /** Empty without a document ([flows.object.5]). */
  readonly jsonVersion: string
  readonly healthStatus: FlowHealth
  /** What upstream finds wrong with the document, unchanged. */
  readonly validationErrors: readonly Fields[]
  readonly previewUrl: string | null
  readonly clonedFromFlowId: FlowId | null
  readonly supersededByFlowId: FlowId | null
  readonly syncError: FlowSyncError | null
  /** Null when the Flow was published before it was known here. */
  readonly publishedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

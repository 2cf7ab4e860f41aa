import { randomInt } from 'node:crypto'
import type { FlowDocument } from './document/read-document.ts'

/** Upstream's categories; other SDKs know SHOPPING too. */
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

export const FLOW_STATUSES = ['DRAFT', 'PUBLISHED', 'DEPRECATED', 'THROTTLED', 'BLOCKED'] as const
export type FlowStatus = (typeof FLOW_STATUSES)[number]

/** A Flow of an account as the platform has it. */
export interface PlatformFlow {
  /** Digits beyond 2^53. */
  readonly id: string
  /** Rises with each creation; listings are ordered and continued by it. */
  readonly order: number
  readonly accountId: string
  name: string
  categories: readonly string[]
  status: FlowStatus
  endpointUri: string | null
  applicationId: string | null
  document: FlowDocument | null
  preview: { readonly token: string; readonly expiresAtMs: number } | null
  /** Times of messages within the last hour, ms since the epoch. */
  sentAtMs: readonly number[]
}

export type NewFlow = Pick<PlatformFlow, 'accountId' | 'name' | 'categories' | 'endpointUri' | 'document'>

let lastOrder = 0

export function newFlow(parts: NewFlow): PlatformFlow {
  // Odd and of 17 digits, so that no number of JavaScript can hold it exactly.
  const id = `${randomInt(2, 10)}${String(randomInt(1e8)).padStart(8, '0')}${String(randomInt(1e7)).padStart(7, '0')}${randomInt(5) * 2 + 1}`
  return { ...parts, id, order: ++lastOrder, status: 'DRAFT', applicationId: null, preview: null, sentAtMs: [] }
}

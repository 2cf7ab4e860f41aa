import type { Fields } from '../../../src/domain/json-fields.ts'
import { newLongId } from '../registry/ids.ts'

export const CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const
export type Category = (typeof CATEGORIES)[number]

/** How variables are named: by numbers from 1, or by names. */
export const PARAMETER_FORMATS = ['POSITIONAL', 'NAMED'] as const
export type ParameterFormat = (typeof PARAMETER_FORMATS)[number]

/** A template of an account as the platform has it. */
export interface PlatformTemplate {
  /** Digits beyond 2^53. */
  readonly id: string
  /** Rises with each creation; listings are ordered and continued by it. */
  readonly order: number
  readonly accountId: string
  readonly name: string
  readonly language: string
  parameterFormat: ParameterFormat
  category: string
  /** One of upstream's words, or any that was set from outside. */
  status: string
  /** Components as they are shown, except that files are handles here. */
  components: readonly Fields[]
  /** Reason of a rejection; `NONE` without one. */
  rejectedReason: string
  quality: string
  previousCategory: string | null
  correctCategory: string | null
  /** True when its name is blocked after its deletion. */
  wasApproved: boolean
  /** Times of changes made while it was approved, ms since the epoch. */
  edits: readonly number[]
  /** Counts wordings and states, so that a review or a pause of an earlier one has no effect. */
  revision: number
}

/** What a template is made from, besides what the platform adds. */
export type NewTemplate = Pick<
  PlatformTemplate,
  'accountId' | 'name' | 'language' | 'parameterFormat' | 'category' | 'status' | 'components'
>

let lastOrder = 0

export function newTemplate(parts: NewTemplate): PlatformTemplate {
  return {
    ...parts,
    id: newLongId(),
    order: ++lastOrder,
    rejectedReason: 'NONE',
    quality: 'UNKNOWN',
    previousCategory: null,
    correctCategory: null,
    wasApproved: parts.status === 'APPROVED',
    edits: [],
    revision: 0,
  }
}

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
  /** Rises with each creation: what listings are ordered and continued by. */
  readonly order: number
  readonly accountId: string
  readonly name: string
  readonly language: string
  parameterFormat: ParameterFormat
  category: string
  /** One of upstream's words, or any that was set from outside. */
  status: string
  /** As they are shown, files apart: those stand here by their handles. */
  components: readonly Fields[]
  /** `NONE` while there is no reason. */
  rejectedReason: string
  quality: string
  previousCategory: string | null
  correctCategory: string | null
  /** Its name is blocked behind its deletion. */
  wasApproved: boolean
  /** Ms since the epoch, of changes made while it was approved. */
  edits: readonly number[]
  /** Counts wordings and states: a review or a pause of an earlier one says nothing any more. */
  revision: number
}

/** What makes a template beside what the platform finds for it. */
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

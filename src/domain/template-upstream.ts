import type { TemplateBody, TemplateCategory, TemplateStatus } from './template.ts'

/** Upstream's words about templates, and what they are here (contract 10: Status, Create). */

/** What upstream calls the state of a template. A word that is not here is taken for DISABLED. */
const STATUSES: ReadonlyMap<string, TemplateStatus> = new Map([
  ['APPROVED', 'APPROVED'],
  ['REINSTATED', 'APPROVED'],
  ['FLAGGED', 'APPROVED'],
  ['PENDING', 'PENDING'],
  ['IN_APPEAL', 'PENDING'],
  ['REJECTED', 'REJECTED'],
  ['PAUSED', 'DISABLED'],
  ['DISABLED', 'DISABLED'],
  ['LIMIT_EXCEEDED', 'DISABLED'],
  ['LOCKED', 'DISABLED'],
  ['ARCHIVED', 'DISABLED'],
  ['PENDING_DELETION', 'DISABLED'],
])
const REMOVED = 'DELETED'
/** Upstream takes another wording of a template in these states. */
const EDITABLE: ReadonlySet<string> = new Set(['APPROVED', 'FLAGGED', 'REJECTED', 'PAUSED'])

/** Our status for upstream's word; null: the template is gone. */
export function templateStatusOf(upstreamStatus: string): TemplateStatus | null {
  return upstreamStatus === REMOVED ? null : (STATUSES.get(upstreamStatus) ?? 'DISABLED')
}

/** Whether the table has upstream's word: one that it lacks says that upstream must be asked. */
export function isKnownStatus(upstreamStatus: string): boolean {
  return upstreamStatus === REMOVED || STATUSES.has(upstreamStatus)
}

/** Whether upstream would take another wording (contract 10: Update). */
export function isEditable(upstreamStatus: string | null): boolean {
  return EDITABLE.has(upstreamStatus ?? '')
}

/** Can be built, previewed and saved, not sent (spec: Templates 10). */
const UNSENDABLE: ReadonlySet<string> = new Set(['ORDER_DETAILS'])

/** What of a template of ours cannot be sent: its `unsupported`. That of an imported one is told by the import. */
export function unsendableParts({ buttons }: TemplateBody): string[] {
  return [...new Set(buttons.map(({ type }) => type).filter((type) => UNSENDABLE.has(type)))]
}

/** Whether messages can be made of it: nothing in it is unsupported, and OFFICIAL is approved (contract 10). */
export function isTemplateSendable(officialStatus: TemplateStatus | null, unsupported: readonly string[]): boolean {
  return (officialStatus === null || officialStatus === 'APPROVED') && unsupported.length === 0
}

const CATEGORIES: ReadonlyMap<string, TemplateCategory> = new Map([
  ['MARKETING', 'MARKETING'],
  ['UTILITY', 'UTILITY'],
  ['AUTHENTICATION', 'OTP'],
  ['OTP', 'OTP'],
])

/** Our category for upstream's; null for one that is unknown. */
export function templateCategoryOf(upstream: unknown): TemplateCategory | null {
  return typeof upstream === 'string' ? (CATEGORIES.get(upstream.toUpperCase()) ?? null) : null
}

/** Upstream's category for ours. */
export function upstreamCategoryOf(category: TemplateCategory): 'MARKETING' | 'UTILITY' | 'AUTHENTICATION' {
  return category === 'OTP' ? 'AUTHENTICATION' : category
}

/** contract 10: `reason` of OFFICIAL_TEMPLATE_SUBMIT_FAILED. MEDIA_UPLOAD_FAILED is said by the upload itself. */
export const SUBMIT_REASONS = [
  'ACCOUNT_INACCESSIBLE',
  'PAYMENT_BUTTON_NOT_ENABLED',
  'TOO_MANY_VARIABLES',
  'TEMPLATE_LIMIT',
  'INVALID_PARAMETER',
  'PHONE_COUNTRY_CODE',
  'CONTENT_ABUSIVE',
  'NUMBER_BLOCKED',
  'DISPLAY_NAME_NOT_APPROVED',
  'MEDIA_UPLOAD_FAILED',
  'HEADER_FILE_REJECTED',
  'PERMISSION_MISSING',
  'TOKEN_INVALID',
  'OTHER',
] as const
export type SubmitReason = (typeof SUBMIT_REASONS)[number]

/** What upstream answers when it refuses a template for a reason. */
export interface SubmitReasonRow {
  readonly reason: SubmitReason
  /** Codes from the first to the last; absent: any. */
  readonly codes?: readonly [number, number]
  /** Absent: any, or none. */
  readonly subcode?: number
}

const ABUSIVE = 1346003

/** The first row that fits counts (spec: Template submission and send errors; contract 10). */
export const SUBMIT_REASON_ROWS: readonly SubmitReasonRow[] = [
  { reason: 'ACCOUNT_INACCESSIBLE', codes: [100, 100], subcode: 33 },
  { reason: 'PAYMENT_BUTTON_NOT_ENABLED', codes: [100, 100], subcode: 2388128 },
  { reason: 'TOO_MANY_VARIABLES', subcode: 2388293 },
  { reason: 'TEMPLATE_LIMIT', subcode: 2388019 },
  { reason: 'INVALID_PARAMETER', codes: [100, 100] },
  { reason: 'PHONE_COUNTRY_CODE', codes: [192, 192] },
  { reason: 'CONTENT_ABUSIVE', codes: [368, 368], subcode: ABUSIVE },
  { reason: 'NUMBER_BLOCKED', codes: [368, 368] },
  { reason: 'DISPLAY_NAME_NOT_APPROVED', codes: [131008, 131008] },
  { reason: 'DISPLAY_NAME_NOT_APPROVED', codes: [131037, 131037] },
  { reason: 'HEADER_FILE_REJECTED', codes: [131002, 131003] },
  { reason: 'PERMISSION_MISSING', codes: [3, 3] },
  { reason: 'PERMISSION_MISSING', codes: [10, 10] },
  { reason: 'TOKEN_INVALID', codes: [190, 190] },
  { reason: 'PERMISSION_MISSING', codes: [200, 299] },
]

/** Why upstream refused a template, by the code and subcode of its answer. */
export function submitReasonOf(code: number | null, subcode: number | null): SubmitReason {
  const row = SUBMIT_REASON_ROWS.find(
    (one) =>
      (one.subcode === undefined || one.subcode === subcode)
      && (one.codes === undefined || (code !== null && code >= one.codes[0] && code <= one.codes[1])),
  )
  return row?.reason ?? 'OTHER'
}

/**
 * Seen of upstream, documented nowhere: the name exists in this language, or is being deleted. Which, a look-up tells.
 */
const NAME_TAKEN: ReadonlySet<number> = new Set([2388023, 2388024])
/** Of a deletion: there is no such template. 100/33 does not say so: upstream answers it of what it hides, too. */
const GONE = { code: 100, subcode: 2593002 }

export function isNameTaken(subcode: number | null): boolean {
  return subcode !== null && NAME_TAKEN.has(subcode)
}

/** Whether a refused deletion says that the template is gone already. */
export function isAlreadyGone(code: number | null, subcode: number | null): boolean {
  return code === GONE.code && subcode === GONE.subcode
}

import type { TemplateBody, TemplateCategory, TemplateStatus } from './template.ts'

/**
 * Upstream's words about templates, and what they are here ([templates.status.3] to [templates.status.7],
 * [templates.create.12] to [templates.create.25]).
 */

/** Upstream's words for the state of a template. Any word that is missing here counts as DISABLED. */
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
/** The states in which upstream takes another wording of a template ([templates.update.3]). */
const EDITABLE: ReadonlySet<string> = new Set(['APPROVED', 'FLAGGED', 'REJECTED', 'PAUSED'])

/** Converts upstream's word to a status of the service; null when the template is gone. */
export function templateStatusOf(upstreamStatus: string): TemplateStatus | null {
  return upstreamStatus === REMOVED ? null : (STATUSES.get(upstreamStatus) ?? 'DISABLED')
}

/** True when the table has upstream's word. An unknown word means that upstream must be asked. */
export function isKnownStatus(upstreamStatus: string): boolean {
  return upstreamStatus === REMOVED || STATUSES.has(upstreamStatus)
}

/** True when upstream would take another wording ([templates.update.3]). */
export function isEditable(upstreamStatus: string | null): boolean {
  return EDITABLE.has(upstreamStatus ?? '')
}

/** Button types that can be built, previewed and saved, not sent ([templates.special-buttons.5]). */
const UNSENDABLE: ReadonlySet<string> = new Set(['ORDER_DETAILS'])

/**
 * Lists the parts of a template of the service that cannot be sent: its `unsupported`. The import lists those of an
 * imported one.
 */
export function unsendableParts({ buttons }: TemplateBody): string[] {
  return [...new Set(buttons.map(({ type }) => type).filter((type) => UNSENDABLE.has(type)))]
}

/**
 * True when messages can be made of it: nothing is unsupported, and on OFFICIAL it is approved ([templates.status.2]).
 */
export function isTemplateSendable(officialStatus: TemplateStatus | null, unsupported: readonly string[]): boolean {
  return (officialStatus === null || officialStatus === 'APPROVED') && unsupported.length === 0
}

const CATEGORIES: ReadonlyMap<string, TemplateCategory> = new Map([
  ['MARKETING', 'MARKETING'],
  ['UTILITY', 'UTILITY'],
  ['AUTHENTICATION', 'OTP'],
  ['OTP', 'OTP'],
])

/** Converts upstream's category to one of the service ([templates.language.3]); null for an unknown one. */
export function templateCategoryOf(upstream: unknown): TemplateCategory | null {
  return typeof upstream === 'string' ? (CATEGORIES.get(upstream.toUpperCase()) ?? null) : null
}

/** Converts a category of the service to upstream's. */
export function upstreamCategoryOf(category: TemplateCategory): 'MARKETING' | 'UTILITY' | 'AUTHENTICATION' {
  return category === 'OTP' ? 'AUTHENTICATION' : category
}

/**
 * `reason` of OFFICIAL_TEMPLATE_SUBMIT_FAILED ([templates.create.12] to [templates.create.25]). The upload itself says
 * MEDIA_UPLOAD_FAILED.
 */
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

/** The codes by which upstream refuses a template for one reason. */
export interface SubmitReasonRow {
  readonly reason: SubmitReason
  /** The first and the last of a range of codes; absent for any code. */
  readonly codes?: readonly [number, number]
  /** Absent for any subcode, or none. */
  readonly subcode?: number
}

const ABUSIVE = 1346003

/** The first row that fits counts ([templates.create.12] to [templates.create.24]). */
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

/** Finds why upstream refused a template, by the code and subcode of its answer. */
export function submitReasonOf(code: number | null, subcode: number | null): SubmitReason {
  const row = SUBMIT_REASON_ROWS.find(
    (one) =>
      (one.subcode === undefined || one.subcode === subcode)
      && (one.codes === undefined || (code !== null && code >= one.codes[0] && code <= one.codes[1])),
  )
  return row?.reason ?? 'OTHER'
}

/**
 * The name exists in this language, or is being deleted; a look-up tells which ([templates.create.3],
 * [templates.create.4]). Upstream was seen to answer this; it documents it nowhere.
 */
const NAME_TAKEN: ReadonlySet<number> = new Set([2388023, 2388024])
/**
 * The answer to a deletion that says that there is no such template ([templates.delete.3]). 100/33 does not say so:
 * upstream answers it for what it hides, too.
 */
const GONE = { code: 100, subcode: 2593002 }

export function isNameTaken(subcode: number | null): boolean {
  return subcode !== null && NAME_TAKEN.has(subcode)
}

/** True when a refused deletion says that the template is gone already. */
export function isAlreadyGone(code: number | null, subcode: number | null): boolean {
  return code === GONE.code && subcode === GONE.subcode
}

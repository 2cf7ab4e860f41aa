import type { FileId, NumberId, TemplateId, TenantId } from '../../domain/ids.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { AppliedTimes } from '../../domain/template-events.ts'
import { variablesOf } from '../../domain/template-keys.ts'
import { isTemplateSendable } from '../../domain/template-upstream.ts'
import type { Template, TemplateBody, TemplateCategory, TemplateExamples, TemplateParameters, TemplateQuality, TemplateSource, TemplateStatus } from '../../domain/template.ts'
import type { NewTemplate, StoredTemplate, TemplateAsk, TemplateFileIds, TemplateOwner, TemplatePatch } from '../../ports/stores/template-store.ts'
import { fromJson, toDate, toDateOrNull, toJson } from '../engine/rows.ts'

/** What clients are shown of a row; lists read nothing else. */
export interface ShownRow {
  readonly id: TemplateId
  readonly name: string
  readonly language: string
  readonly category: TemplateCategory
  readonly source: TemplateSource
  readonly official_status: TemplateStatus | null
  readonly official_language: string | null
  readonly sendable: boolean
  readonly variables: string
  readonly body: string
  readonly examples: string
  readonly unsupported: string
  readonly external_id: string | null
  readonly upstream_status: string | null
  readonly status_reason: string | null
  readonly status_description: string | null
  readonly quality: TemplateQuality | null
  readonly requested_category: TemplateCategory | null
  readonly correct_category: TemplateCategory | null
  readonly submitted_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** A row of `templates`. */
export interface TemplateRow extends ShownRow {
  readonly tenant_id: TenantId
  readonly account_id: string | null
  readonly number_id: NumberId | null
  readonly parameters: string | null
  readonly submitted: string | null
  readonly files: string
  readonly applied: string
  readonly ask: string | null
  readonly asked_until: string | null
  readonly ask_tries: number
}

/** Columns that stay as they were made. */
const FIXED = { id: 'text', tenant_id: 'text', account_id: 'text', number_id: 'text', name: 'text', language: 'text', source: 'text', created_at: 'timestamptz' } as const
/** Columns that clients are shown and that a change may write. */
const SHOWN = {
  category: 'text', official_status: 'text', official_language: 'text', sendable: 'boolean', variables: 'text', body: 'text', examples: 'text', unsupported: 'text',
  external_id: 'text', upstream_status: 'text', status_reason: 'text', status_description: 'text', quality: 'text', requested_category: 'text', correct_category: 'text',
  submitted_at: 'timestamptz', updated_at: 'timestamptz',
} as const
/** Further columns that a change may write. */
const HIDDEN = { parameters: 'text', submitted: 'text', files: 'text', applied: 'text', ask: 'text', asked_until: 'timestamptz', ask_tries: 'integer' } as const

/** What a change may write. */
export const WRITTEN = { ...SHOWN, ...HIDDEN }
export const ALL = { ...FIXED, ...WRITTEN }

/** What a read of lists selects of templates `t`. */
export const SHOWN_COLUMNS = ['id', 'name', 'language', 'source', 'created_at', ...Object.keys(SHOWN)].map((name) => `t.${name}`).join(', ')
/** What any other read selects of templates `t`. */
export const ALL_COLUMNS = Object.keys(ALL).map((name) => `t.${name}`).join(', ')

/** A template as its columns; `null` also where a text is JSON. */
export type TemplateRecord = Readonly<Record<keyof typeof ALL, string | number | boolean | null>>

export function toRecord(template: StoredTemplate): TemplateRecord {
  const { owner } = template
  return {
    id: template.id, tenant_id: owner.tenantId, account_id: owner.kind === 'ACCOUNT' ? owner.accountId : null, number_id: owner.kind === 'NUMBER' ? owner.numberId : null,
    name: template.name, language: template.language, category: template.category, source: template.source,
    official_status: template.officialStatus, official_language: template.officialLanguage, sendable: template.sendable,
    variables: JSON.stringify(template.variables), body: JSON.stringify(template.body), examples: JSON.stringify(template.examples), unsupported: JSON.stringify(template.unsupported),
    external_id: template.externalId, upstream_status: template.upstreamStatus, status_reason: template.statusReason, status_description: template.statusDescription,
    quality: template.quality, requested_category: template.requestedCategory, correct_category: template.correctCategory,
    parameters: toJson(template.parameters), submitted: toJson(template.submitted), files: JSON.stringify(template.files), applied: JSON.stringify(template.applied),
    ask: toJson(template.ask), asked_until: template.askedUntil?.toISOString() ?? null, ask_tries: template.askTries,
    submitted_at: template.submittedAt?.toISOString() ?? null, created_at: template.createdAt.toISOString(), updated_at: template.updatedAt.toISOString(),
  }
}

export function toShown(row: ShownRow): Template {
  return {
    id: row.id, name: row.name, category: row.category, language: row.language, source: row.source, officialStatus: row.official_status, officialLanguage: row.official_language,
    sendable: row.sendable, variables: JSON.parse(row.variables) as string[], body: JSON.parse(row.body) as TemplateBody, examples: JSON.parse(row.examples) as TemplateExamples,
    externalId: row.external_id, upstreamStatus: row.upstream_status, statusReason: row.status_reason, statusDescription: row.status_description, quality: row.quality,
    requestedCategory: row.requested_category, correctCategory: row.correct_category, unsupported: JSON.parse(row.unsupported) as string[],
    submittedAt: toDateOrNull(row.submitted_at), createdAt: toDate(row.created_at), updatedAt: toDate(row.updated_at),
  }
}

export function toStored(row: TemplateRow): StoredTemplate {
  return {
    ...toShown(row), owner: ownerIn(row), parameters: fromJson<TemplateParameters>(row.parameters), submitted: fromJson<Fields[]>(row.submitted),
    files: JSON.parse(row.files) as TemplateFileIds, applied: appliedIn(row.applied), ask: fromJson<TemplateAsk>(row.ask),
    askedUntil: toDateOrNull(row.asked_until), askTries: row.ask_tries,
  }
}

/** Whose a row is: the table has exactly one of the two. */
function ownerIn({ tenant_id: tenantId, account_id: accountId, number_id: numberId }: TemplateRow): TemplateOwner {
  if (accountId !== null) return { kind: 'ACCOUNT', tenantId, accountId }
  if (numberId !== null) return { kind: 'NUMBER', tenantId, numberId }
  throw new Error('a template has no owner')
}

function appliedIn(text: string): AppliedTimes {
  const { status, quality, category } = JSON.parse(text) as Readonly<Record<keyof AppliedTimes, string | null>>
  const date = (one: string | null) => one === null ? null : new Date(one)
  return { status: date(status), quality: date(quality), category: date(category) }
}

/** Puts in what follows from the rest. */
function derived(template: Omit<StoredTemplate, 'sendable' | 'variables' | 'updatedAt'>, nowMs: number): StoredTemplate {
  return {
    ...template, sendable: isTemplateSendable(template.officialStatus, template.unsupported), variables: variablesOf(template.body, template),
    askedUntil: template.ask === null ? null : template.askedUntil, updatedAt: new Date(nowMs),
  }
}

export function newRow(template: NewTemplate, nowMs: number): StoredTemplate {
  return derived(template, nowMs)
}

export function patched(row: StoredTemplate, patch: TemplatePatch, nowMs: number): StoredTemplate {
  return derived({ ...row, ...patch }, nowMs)
}

/** Every file that a row needs, those of an edit under way too. */
export function filesOf({ files, ask }: Pick<StoredTemplate, 'files' | 'ask'>): FileId[] {
  const sets = ask?.kind === 'EDIT' ? [files, ask.wording.files] : [files]
  return [...new Set(sets.flatMap(({ header, cards }) => [header, ...cards]).filter((id) => id !== null))]
}

import type { FileId, NumberId, TenantId } from '../../domain/ids.ts'
import type { AppliedTimes, ToldMatter } from '../../domain/template-events.ts'
import { variablesOf } from '../../domain/template-keys.ts'
import { isTemplateSendable } from '../../domain/template-upstream.ts'
import type { NewTemplate, StoredTemplate, TemplateOwner, TemplatePatch } from '../../ports/stores/template-store.ts'
import { rowsOf, type RecordOf, type RowIn } from '../engine/rows-of.ts'
import { TemplateEntity, TemplateSightingEntity } from './entity.ts'

/** Every column of templates. */
export const TEMPLATES = rowsOf(TemplateEntity)
/** The columns that clients are shown; lists read nothing else. */
export const SHOWN = TEMPLATES.without(
  'tenantId',
  'accountId',
  'numberId',
  'parameters',
  'submitted',
  'files',
  'applied',
  'ask',
  'askedUntil',
  'askTries',
)
/** The columns that a change may write. */
export const WRITTEN = TEMPLATES.without(
  'id',
  'tenantId',
  'accountId',
  'numberId',
  'name',
  'language',
  'source',
  'createdAt',
)

/** Columns of `templates`, plain and with the alias `t`. */
export const { columns: C } = TEMPLATES
export const T = TEMPLATES.of('t')
/** Columns of `template_sightings`. */
export const { columns: S } = rowsOf(TemplateSightingEntity)
/** What reads select of templates `t`. */
export const ALL_COLUMNS = TEMPLATES.list('t')
export const SHOWN_COLUMNS = SHOWN.list('t')

/** A row of `templates`, read. */
type TemplateRecord = RecordOf<typeof TemplateEntity>
/** Rows as SQL answers them: with every column, and with those that clients are shown. */
export type TemplateRow = RowIn<typeof TEMPLATES>
export type ShownRow = RowIn<typeof SHOWN>

/** Writes or reads each of the times, and leaves what else stands beside them. */
function timesBy<From, To>(
  { status, quality, category, ...more }: Readonly<Record<ToldMatter, From>> & Pick<AppliedTimes, 'of'>,
  to: (time: From) => To,
) {
  return { ...more, status: to(status), quality: to(quality), category: to(category) }
}

export function toRecord({ owner, applied, ...fields }: StoredTemplate): TemplateRecord {
  const iso = (date: Date | null) => date?.toISOString() ?? null
  return {
    ...fields,
    tenantId: owner.tenantId,
    accountId: owner.kind === 'ACCOUNT' ? owner.accountId : null,
    numberId: owner.kind === 'NUMBER' ? owner.numberId : null,
    applied: timesBy(applied, iso),
  }
}

export function toStored(row: TemplateRow): StoredTemplate {
  const { tenantId, accountId, numberId, applied, ...fields } = TEMPLATES.read(row)
  const date = (one: string | null) => (one === null ? null : new Date(one))
  return {
    ...fields,
    owner: ownerIn(tenantId, accountId, numberId),
    applied: timesBy(applied, date),
  }
}

/** The owner of a row: the table has exactly one of the two ids. */
function ownerIn(tenantId: TenantId, accountId: string | null, numberId: NumberId | null): TemplateOwner {
  if (accountId !== null) return { kind: 'ACCOUNT', tenantId, accountId }
  if (numberId !== null) return { kind: 'NUMBER', tenantId, numberId }
  throw new Error('a template has no owner')
}

/** Fills in the fields that follow from the others. */
function derived(
  template: Omit<StoredTemplate, 'sendable' | 'variables' | 'updatedAt'>,
  nowMs: number,
): StoredTemplate {
  return {
    ...template,
    sendable: isTemplateSendable(template.officialStatus, template.unsupported),
    variables: variablesOf(template.body, template),
    askedUntil: template.ask === null ? null : template.askedUntil,
    updatedAt: new Date(nowMs),
  }
}

export function newRow(template: NewTemplate, nowMs: number): StoredTemplate {
  return derived(template, nowMs)
}

export function patched(row: StoredTemplate, patch: TemplatePatch, nowMs: number): StoredTemplate {
  return derived({ ...row, ...patch }, nowMs)
}

/** Every file that a row needs, with those of an edit under way. */
export function filesOf({ files, ask }: Pick<StoredTemplate, 'files' | 'ask'>): FileId[] {
  const sets = ask?.kind === 'EDIT' ? [files, ask.wording.files] : [files]
  return [...new Set(sets.flatMap(({ header, cards }) => [header, ...cards]).filter((id) => id !== null))]
}

import { newId } from '../../domain/ids.ts'
import { isAsSubmitted } from '../../domain/template-compare.ts'
import { appliedAfterRead, NEVER_APPLIED } from '../../domain/template-events.ts'
import { importTemplate, underOurName } from '../../domain/template-import.ts'
import { templateCategoryOf, templateStatusOf } from '../../domain/template-upstream.ts'
import { REVIEWED } from '../../domain/template.ts'
import type { TemplateBody, TemplateCategory } from '../../domain/template.ts'
import type { UpstreamTemplate } from '../../ports/official/templates.ts'
import type {
  NewTemplate,
  StoredTemplate,
  TemplateFate,
  TemplateOwner,
  TemplatePatch,
  TemplateWording,
} from '../../ports/stores/template-store.ts'
import { fateBy, isLeftAlone } from '../official/merging.ts'
import { linkedWording } from './link-flows.ts'
import type { LinkedTemplate } from './link-flows.ts'

/** Upstream still shows such a template for a while, but it cannot be used any more. */
const BEING_DELETED = 'PENDING_DELETION'

/** Whether a template that upstream shows is one that can be used again. */
export function isThere(shown: UpstreamTemplate | null): shown is UpstreamTemplate {
  return shown !== null && shown.status !== BEING_DELETED && templateStatusOf(shown.status) !== null
}

/** Whether upstream shows what was submitted here. */
export function isOurs(
  { submitted, category }: Pick<StoredTemplate, 'submitted' | 'category'>,
  shown: UpstreamTemplate,
): boolean {
  return submitted !== null && isAsSubmitted(submitted, shown.components, category === 'OTP')
}

function imported(shown: LinkedTemplate, category: TemplateCategory): TemplateWording {
  const { body, parameters, examples, unsupported } = importTemplate(shown.components, {
    category,
    format: shown.parameterFormat,
    flowIdOf: (id) => shown.flowIds.get(id) ?? null,
  })
  return {
    body,
    parameters,
    examples,
    unsupported,
    // What upstream shows stands in for what was submitted, so that a later edit elsewhere is noticed.
    submitted: shown.components,
    files: { header: null, cards: (body.carousel?.cards ?? []).map(() => null) },
  }
}

/**
 * The body of an OTP template: upstream writes its words, which are shown under our name of the variable
 * ([templates.special-buttons.2]).
 */
function codeBody(row: StoredTemplate, shown: LinkedTemplate): TemplateBody {
  const { body } = imported(shown, 'OTP')
  const key = row.parameters?.body[0]
  const text = body.body?.text ?? ''
  if (text === '' || key === undefined) return row.body
  return { ...row.body, body: { ...row.body.body, text: underOurName(text, key) } }
}

/**
 * The wording that a row takes over: a row that upstream still shows as submitted keeps our names and files; one that
 * was edited elsewhere takes upstream's text and keys ([templates.import.4]).
 */
function wordingFrom(row: StoredTemplate, shown: LinkedTemplate, category: TemplateCategory): Partial<TemplateWording> {
  if (!isOurs(row, shown)) return imported(shown, category)
  return category === 'OTP' ? { body: codeBody(row, shown) } : (linkedWording(row, shown.flowIds) ?? {})
}

/** What a row says of which nothing was told. */
export function untold({ requestedCategory, category }: StoredTemplate) {
  return {
    category: requestedCategory ?? category,
    officialStatus: 'PENDING',
    upstreamStatus: 'PENDING',
    statusReason: null,
    statusDescription: null,
    quality: 'UNKNOWN',
    correctCategory: null,
  } as const
}

/** A row without all that was told. */
export function forgotten(row: StoredTemplate): StoredTemplate {
  return { ...row, ...untold(row), applied: NEVER_APPLIED }
}

/** The row of a template of that id, without what was told of another one that had its name. */
export function asOf(row: StoredTemplate, externalId: string): StoredTemplate {
  const { of = row.externalId, ...applied } = row.applied
  return of === null || of === externalId ? { ...row, applied } : forgotten(row)
}

/** What a row takes over of what upstream shows. */
function patchFrom(before: StoredTemplate, shown: LinkedTemplate, now: Date): TemplatePatch {
  const row = asOf(before, shown.externalId)
  const category = templateCategoryOf(shown.category) ?? row.category
  const correctCategory = templateCategoryOf(shown.correctCategory) ?? row.correctCategory
  const quality = shown.quality ?? row.quality
  // Only its event tells the reason of a pause, so it stays while the status does.
  const isSameWord = shown.status === row.upstreamStatus
  return {
    ...wordingFrom(row, shown, category),
    externalId: shown.externalId,
    officialLanguage: shown.language,
    category,
    officialStatus: templateStatusOf(shown.status),
    upstreamStatus: shown.status,
    statusReason: shown.rejectedReason ?? (isSameWord ? row.statusReason : null),
    statusDescription: isSameWord ? row.statusDescription : null,
    quality,
    correctCategory,
    applied: appliedAfterRead(row, { upstreamStatus: shown.status, quality, category, correctCategory }),
    submittedAt: row.submittedAt ?? now,
  }
}

/** What becomes of a row once upstream shows this. `more` is written with it. */
export function fateFrom(
  row: StoredTemplate,
  shown: LinkedTemplate,
  now: Date,
  more: TemplatePatch = {},
): TemplateFate {
  if (templateStatusOf(shown.status) === null) return { kind: 'REMOVE' }
  return fateBy(row, { ...patchFrom(row, shown, now), ...more })
}

/**
 * A row for a template that was made elsewhere; null for a category that does not exist here, or a template that is
 * being deleted.
 */
export function rowFrom(owner: TemplateOwner, shown: LinkedTemplate, now: Date): NewTemplate | null {
  const category = templateCategoryOf(shown.category)
  if (category === null || !isThere(shown)) return null
  return {
    id: newId('tpl'),
    owner,
    name: shown.name,
    category,
    language: shown.language,
    source: REVIEWED,
    ...imported(shown, category),
    officialStatus: templateStatusOf(shown.status),
    officialLanguage: shown.language,
    externalId: shown.externalId,
    upstreamStatus: shown.status,
    statusReason: shown.rejectedReason,
    statusDescription: null,
    quality: shown.quality ?? 'UNKNOWN',
    requestedCategory: null,
    correctCategory: templateCategoryOf(shown.correctCategory),
    submittedAt: now,
    createdAt: now,
    applied: NEVER_APPLIED,
    ask: null,
    askedUntil: null,
    askTries: 0,
  }
}

/**
 * Merges one template that upstream shows. `asked`: when its page was asked for, null when the template was read by
 * itself.
 */
export function mergeShown(
  owner: TemplateOwner,
  asked: Date | null,
  now: Date,
): (
  shown: LinkedTemplate,
  row: StoredTemplate | null,
) => TemplateFate | { readonly kind: 'CREATE'; readonly template: NewTemplate } {
  return (shown, row) => {
    if (row) return isLeftAlone(row, asked) ? { kind: 'KEEP' } : fateFrom(row, shown, now)
    const template = rowFrom(owner, shown, now)
    return template ? { kind: 'CREATE', template } : { kind: 'KEEP' }
  }
}

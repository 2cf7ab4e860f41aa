import { newId } from '../../domain/ids.ts'
import { NEVER_APPLIED } from '../../domain/template-events.ts'
import { submissionOf } from '../../domain/template-submit.ts'
import type { Submission } from '../../domain/template-submit.ts'
import { unsendableParts, upstreamCategoryOf } from '../../domain/template-upstream.ts'
import { isReviewed } from '../../domain/template.ts'
import type { TemplateBody } from '../../domain/template.ts'
import type { TemplateSubmission } from '../../ports/official/templates.ts'
import type { NewTemplate, TemplateOwner, TemplateWording } from '../../ports/stores/template-store.ts'
import { ASK_MS } from '../official/asking.ts'
import type { TemplateDraft } from './draft.ts'
import type { Samples } from './samples.ts'

/** Handles of uploaded samples. */
export interface Handles {
  readonly header: string | null
  readonly cards: readonly string[]
}

const NO_HANDLES: Handles = { header: null, cards: [] }

/**
 * The draft in upstream's form. Without handles it serves to recognise the template, because upstream shows other
 * addresses of the files.
 */
export function submissionOfDraft(
  { category, examples, officialFlowIds }: TemplateDraft,
  body: TemplateBody,
  handles: Handles = NO_HANDLES,
): Submission {
  return submissionOf(body, {
    category,
    examples,
    headerHandle: handles.header,
    cardHandles: handles.cards,
    officialFlowIdOf: (flowId) => officialFlowIds.get(flowId) ?? null,
  })
}

/** Everything that upstream is asked to review. */
export function upstreamSubmission(
  { name, language, category }: TemplateDraft,
  { components, displayFormat, parameters }: Submission,
): TemplateSubmission {
  return {
    name,
    language,
    category: upstreamCategoryOf(category),
    components,
    displayFormat,
    parameterFormat: parameters.format,
  }
}

/** The fields that a draft writes into a row. */
export function wordingOf(draft: TemplateDraft, { body, ids }: Pick<Samples, 'body' | 'ids'>): TemplateWording {
  const isOfUpstream = isReviewed(draft)
  const submission = isOfUpstream ? submissionOfDraft(draft, body) : null
  return {
    body,
    examples: draft.examples,
    unsupported: unsendableParts(body),
    files: ids,
    parameters: submission?.parameters ?? null,
    submitted: submission?.components ?? null,
  }
}

/** The row of a new template; on an OFFICIAL number it waits for upstream. */
export function newRow(draft: TemplateDraft, owner: TemplateOwner, samples: Samples, nowMs: number): NewTemplate {
  const isOfUpstream = isReviewed(draft)
  return {
    id: newId('tpl'),
    owner,
    name: draft.name,
    category: draft.category,
    language: draft.language,
    source: draft.source,
    ...wordingOf(draft, samples),
    officialStatus: isOfUpstream ? 'PENDING' : null,
    officialLanguage: isOfUpstream ? draft.language : null,
    externalId: null,
    upstreamStatus: isOfUpstream ? 'PENDING' : null,
    statusReason: null,
    statusDescription: null,
    quality: isOfUpstream ? 'UNKNOWN' : null,
    requestedCategory: isOfUpstream ? draft.category : null,
    correctCategory: null,
    submittedAt: null,
    createdAt: new Date(nowMs),
    applied: NEVER_APPLIED,
    ask: isOfUpstream ? { kind: 'CREATE' } : null,
    askedUntil: isOfUpstream ? new Date(nowMs + ASK_MS) : null,
    askTries: 0,
  }
}

import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { isEditable } from '../../domain/template-upstream.ts'
import { isReviewed } from '../../domain/template.ts'
import type { TemplateCategory } from '../../domain/template.ts'
import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import { onceMarked } from '../official/ask.ts'
import { askedRefusal, beginAsk } from './asking.ts'
import { draftOf, identityOf } from './draft.ts'
import type { TemplateDraft } from './draft.ts'
import { drained } from './drained.ts'
import { editUpstream } from './edit.ts'
import { findTemplate, NO_SUCH_TEMPLATE } from './find.ts'
import type { TemplatePorts } from './ports.ts'
import { wordingOf } from './row.ts'
import { appIdRefusal, takeSamples } from './samples.ts'
import type { Samples } from './samples.ts'
import { templatesOf } from './upstream.ts'
import type { NumberTemplates } from './upstream.ts'

export interface UpdateInput {
  readonly number: NumberRef
  readonly idOrName: string
  /** The language that chooses among the templates of a name; null when none was asked for. */
  readonly languageAsked: string | null
  /** A field that is null stays as it is. */
  readonly name: string | null
  readonly category: TemplateCategory | null
  readonly language: string | null
  readonly body: unknown
  readonly examples: unknown
}

/**
 * Replaces the wording of a template ([templates.routes.5]). An OFFICIAL row changes only once upstream took the new
 * wording ([templates.update.5]); a LOCAL one changes at once ([templates.update.8]).
 */
export async function updateTemplate(ports: TemplatePorts, input: UpdateInput): Promise<Outcome<StoredTemplate>> {
  const { number } = input
  const found = await findTemplate(ports, number, input.idOrName, input.languageAsked)
  if (!found.ok) return found
  const row = found.value
  const refusal = identityRefusal(row, input) ?? editableRefusal(row)
  if (refusal) return fail(refusal)
  const draft = await draftOf(
    ports,
    number,
    {
      name: row.name,
      language: row.language,
      category: input.category ?? row.category,
      body: input.body,
      examples: input.examples,
    },
    row,
  )
  if (!draft.ok) return draft
  const upstream = isReviewed(draft.value) ? await templatesOf(ports, number) : succeed(null)
  if (!upstream.ok) return upstream
  const unfit = appIdRefusal(draft.value, upstream.value)
  if (unfit) return fail(unfit)
  const samples = await takeSamples(ports, number, draft.value.body, row)
  if (!samples.ok) return samples
  return upstream.value
    ? onceMarked(ports, await change(ports, upstream.value, row, draft.value, samples.value))
    : changeLocal(ports, row, draft.value, samples.value)
}

/** Category, name and language stay those of the creation ([templates.update.1], [templates.update.2]). */
function identityRefusal(row: StoredTemplate, { name, category, language }: UpdateInput): Refusal | null {
  const identity = identityOf({ name: name ?? row.name, language: language ?? row.language })
  if (!identity.ok) return identity.error
  if (category !== null && category !== row.category && category !== row.requestedCategory) {
    return refuse('TEMPLATE_CATEGORY_FIXED', `The category of a template stays what it is: ${row.category}`, {
      category: row.category,
    })
  }
  const isSame = identity.value.name === row.name && identity.value.language === row.language
  return isSame
    ? null
    : refuse('TEMPLATE_IDENTITY_FIXED', 'Name and language of a template stay what they are: create another one', {
        name: row.name,
        language: row.language,
      })
}

/**
 * The refusal that keeps the wording from changing now: another request is under way, or upstream takes no change in
 * the template's state ([templates.update.3]). null when it may change.
 */
function editableRefusal(row: StoredTemplate): Refusal | null {
  const { source, officialStatus, upstreamStatus } = row
  const asked = askedRefusal(row)
  if (asked) return asked
  if (!isReviewed({ source }) || isEditable(upstreamStatus)) return null
  return refuse(
    'TEMPLATE_NOT_EDITABLE',
    `The official platform takes no change of a template that is ${upstreamStatus}`,
    { officialStatus, upstreamStatus },
  )
}

async function changeLocal(
  ports: TemplatePorts,
  row: StoredTemplate,
  draft: TemplateDraft,
  samples: Samples,
): Promise<Outcome<StoredTemplate>> {
  const changed = await ports.templates.change(row.id, () => ({ kind: 'CHANGE', patch: wordingOf(draft, samples) }))
  return changed ? succeed(changed.template) : fail(NO_SUCH_TEMPLATE)
}

/** Stores the new wording beside the old one before upstream is asked. */
async function change(
  ports: TemplatePorts,
  { port }: NumberTemplates,
  row: StoredTemplate,
  draft: TemplateDraft,
  samples: Samples,
): Promise<Outcome<StoredTemplate>> {
  const ask = { kind: 'EDIT' as const, wording: wordingOf(draft, samples), category: draft.category }
  const begun = await beginAsk(ports, row, ask, editableRefusal)
  if (!begun.ok) {
    await ports.templateFiles.release(samples.fresh)
    return begun
  }
  await drained(ports, begun.value)
  return editUpstream(ports, { row: begun.value, ask, port, draft, samples })
}

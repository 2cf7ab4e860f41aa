import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { isReviewed } from '../../domain/template.ts'
import type { StoredTemplate, TemplateOwner } from '../../ports/stores/template-store.ts'
import { onceMarked } from '../official/ask.ts'
import { alreadyExists, createUpstream } from './creation.ts'
import { draftOf } from './draft.ts'
import type { GivenTemplate } from './draft.ts'
import { creationOf, existingOf, isInDoubt, join } from './join.ts'
import type { Ready } from './join.ts'
import type { TemplatePorts } from './ports.ts'
import { newRow } from './row.ts'
import { appIdRefusal, takeSamples } from './samples.ts'
import { templatesOf } from './upstream.ts'
import type { NumberTemplates } from './upstream.ts'

const NUMBER_GONE: Refusal = refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile')

/**
 * Creates a template ([templates.routes.1]). When it is refused before upstream is asked, nothing of it is stored or
 * kept.
 */
export async function createTemplate(
  ports: TemplatePorts,
  number: NumberRef,
  given: GivenTemplate,
): Promise<Outcome<StoredTemplate>> {
  const draft = await draftOf(ports, number, given, null)
  if (!draft.ok) return draft
  const owner = await ports.templates.ownerOf(number)
  if (!owner) return fail(NUMBER_GONE)
  const upstream = isReviewed(draft.value) ? await templatesOf(ports, number) : succeed(null)
  if (!upstream.ok) return upstream
  const existing = await existingOf(ports, number, draft.value)
  if (existing && !isInDoubt(ports, existing, draft.value)) return fail(alreadyExists(existing))
  const refusal = appIdRefusal(draft.value, upstream.value)
  if (refusal) return fail(refusal)
  const samples = await takeSamples(ports, number, draft.value.body, null)
  if (!samples.ok) return samples
  if (existing && upstream.value)
    return onceMarked(
      ports,
      await join(ports, upstream.value, { draft: draft.value, samples: samples.value, existing }),
    )
  return onceMarked(ports, await store(ports, upstream.value, { draft: draft.value, samples: samples.value, owner }))
}

/**
 * Stores the row before the request ([templates.create.1]): if the process ends here, the row says what may exist
 * upstream.
 */
async function store(
  ports: TemplatePorts,
  upstream: NumberTemplates | null,
  { draft, samples, owner }: Ready & { readonly owner: TemplateOwner },
): Promise<Outcome<StoredTemplate>> {
  const made = await ports.templates.create(newRow(draft, owner, samples, ports.clock.now()))
  if (made.kind !== 'created') {
    await ports.templateFiles.release(samples.fresh)
    return fail(made.kind === 'gone' ? NUMBER_GONE : alreadyExists(made.template))
  }
  return upstream
    ? createUpstream(ports, creationOf(upstream, { draft, samples, row: made.template }))
    : succeed(made.template)
}

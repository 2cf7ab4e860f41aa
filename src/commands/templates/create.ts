import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { CardHosts } from '../../domain/template-rule.ts'
import { isReviewed } from '../../domain/template.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FlowStore } from '../../ports/stores/flow-store.ts'
import type { StoredTemplate, TemplateOwner, TemplateStore } from '../../ports/stores/template-store.ts'
import { onceMarked } from '../official/ask.ts'
import { alreadyExists, createUpstream } from './creation.ts'
import { draftOf } from './draft.ts'
import type { GivenTemplate } from './draft.ts'
import { creationOf, existingOf, isInDoubt, join } from './join.ts'
import type { Ready } from './join.ts'
import { newRow } from './row.ts'
import { appIdRefusal, keptIn, takeSamples } from './samples.ts'
import type { SamplesDeps } from './samples.ts'
import { templatesOf } from './upstream.ts'
import type { NumberTemplates, UpstreamDeps } from './upstream.ts'

export interface CreateTemplateDeps extends UpstreamDeps, SamplesDeps {
  readonly templates: Pick<TemplateStore, 'ownerOf' | 'find' | 'create' | 'change'>
  readonly flows: Pick<FlowStore, 'find' | 'byExternalIds'>
  readonly cardHosts: CardHosts
  readonly clock: Pick<Clock, 'now'>
}

const NUMBER_GONE: Refusal = refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile')

/** Creates a template (contract 10, Create). Nothing of a refused one is fetched, stored or submitted. */
export async function createTemplate(
  deps: CreateTemplateDeps,
  number: NumberRef,
  given: GivenTemplate,
): Promise<Outcome<StoredTemplate>> {
  const draft = await draftOf(given, {
    provider: number.provider,
    hosts: deps.cardHosts,
    isKept: keptIn(null, deps.templateFiles),
    findFlow: (flowId) => deps.flows.find(number, flowId),
  })
  if (!draft.ok) return draft
  const owner = await deps.templates.ownerOf(number)
  if (!owner) return fail(NUMBER_GONE)
  const upstream = isReviewed(draft.value) ? await templatesOf(deps, number) : succeed(null)
  if (!upstream.ok) return upstream
  const existing = await existingOf(deps, number, draft.value)
  if (existing && !isInDoubt(deps, existing, draft.value)) return fail(alreadyExists(existing))
  const refusal = appIdRefusal(draft.value, upstream.value)
  if (refusal) return fail(refusal)
  const samples = await takeSamples(deps, number, draft.value.body, null)
  if (!samples.ok) return samples
  if (existing && upstream.value)
    return onceMarked(deps, await join(deps, upstream.value, { draft: draft.value, samples: samples.value, existing }))
  return onceMarked(deps, await store(deps, upstream.value, { draft: draft.value, samples: samples.value, owner }))
}

/** Rows come before requests: should the process end here, the row says what may stand upstream. */
async function store(
  deps: CreateTemplateDeps,
  upstream: NumberTemplates | null,
  { draft, samples, owner }: Ready & { readonly owner: TemplateOwner },
): Promise<Outcome<StoredTemplate>> {
  const made = await deps.templates.create(newRow(draft, owner, samples, deps.clock.now()))
  if (made.kind !== 'created') {
    await deps.templateFiles.release(samples.fresh)
    return fail(made.kind === 'gone' ? NUMBER_GONE : alreadyExists(made.template))
  }
  return upstream
    ? createUpstream(deps, creationOf(upstream, { draft, samples, row: made.template }))
    : succeed(made.template)
}

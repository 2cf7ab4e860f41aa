import { refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { TemplateId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import { isAlreadyGone } from '../../domain/template-upstream.ts'
import { isReviewed } from '../../domain/template.ts'
import type { TemplatesPort } from '../../ports/official/templates.ts'
import type { UpstreamNo } from '../../ports/official/write.ts'
import type { StoredTemplate, TemplateStore } from '../../ports/stores/template-store.ts'
import { onceMarked } from '../official/ask.ts'
import { SETTLED } from '../official/asking.ts'
import { askedRefusal, beginAsk, inDoubt, letBe } from './asking.ts'
import type { AskingDeps } from './asking.ts'
import { drained } from './drained.ts'
import type { DrainedDeps } from './drained.ts'
import { findTemplate } from './find.ts'
import { isThere } from './merge.ts'
import { templatesOf } from './upstream.ts'
import type { UpstreamDeps } from './upstream.ts'

export interface RemoveTemplateDeps extends AskingDeps, UpstreamDeps, DrainedDeps {
  readonly templates: Pick<TemplateStore, 'find' | 'change'>
  readonly clock: DrainedDeps['clock'] & AskingDeps['clock']
}

/**
 * Removes a template here and upstream; answers its id only when it is gone in both (contract 10, Delete; spec:
 * Templates 7).
 */
export async function removeTemplate(
  deps: RemoveTemplateDeps,
  number: NumberRef,
  idOrName: string,
  language: string | null,
): Promise<Outcome<TemplateId>> {
  const found = await findTemplate(deps, number, idOrName, language)
  if (!found.ok) return found
  const { id } = found.value
  if (!isReviewed(found.value)) return gone(deps, id)
  const upstream = await templatesOf(deps, number)
  if (!upstream.ok) return upstream
  const begun = await beginAsk(deps, found.value, { kind: 'DELETE' }, askedRefusal)
  if (!begun.ok) return begun
  await drained(deps, begun.value)
  return onceMarked(deps, await removeUpstream(deps, begun.value, upstream.value.port))
}

async function removeUpstream(
  deps: AskingDeps,
  row: StoredTemplate,
  port: TemplatesPort,
): Promise<Outcome<TemplateId>> {
  if (row.externalId === null) return gone(deps, row.id)
  const removed = await port.remove(row.externalId, row.name)
  switch (removed.kind) {
    case 'done':
      return gone(deps, row.id)
    case 'unsent':
      return letBe(deps, row, removed.refusal)
    case 'refused': {
      if (!isAlreadyGone(removed.no.upstreamCode, removed.no.upstreamSubcode))
        return letBe(deps, row, deletionRefusal(row, removed.no))
      return (await isStillThere(row, port)) === true
        ? letBe(deps, row, deletionRefusal(row, removed.no))
        : gone(deps, row.id)
    }
    case 'unknown': {
      const isThereStill = await isStillThere(row, port)
      if (isThereStill === null) return inDoubt(deps, row, removed.refusal)
      return isThereStill ? letBe(deps, row, removed.refusal) : gone(deps, row.id)
    }
  }
}

/** Nobody waits for it any more: it is gone when upstream has it no more, and stays otherwise. */
export async function settleRemoval(
  deps: AskingDeps,
  row: StoredTemplate,
  port: TemplatesPort,
): Promise<'settled' | 'open'> {
  const isThereStill = await isStillThere(row, port)
  if (isThereStill === null) return 'open'
  await deps.templates.change(row.id, () => (isThereStill ? { kind: 'CHANGE', patch: SETTLED } : { kind: 'REMOVE' }))
  return 'settled'
}

/** Null: nobody can tell now. Another template may have taken the name meanwhile. */
async function isStillThere(
  { name, language, externalId }: StoredTemplate,
  port: TemplatesPort,
): Promise<boolean | null> {
  const found = await port.find(name, language)
  return found.ok ? isThere(found.value) && found.value.externalId === externalId : null
}

function deletionRefusal({ name }: StoredTemplate, { upstreamCode, upstreamMessage }: UpstreamNo): Refusal {
  const reason = upstreamMessage || 'it gave no reason'
  return refuse('TEMPLATE_DELETION_REFUSED', `The official platform did not delete the template ${name}: ${reason}`, {
    upstreamCode,
    upstreamMessage,
  })
}

async function gone({ templates }: AskingDeps, id: TemplateId): Promise<Outcome<TemplateId>> {
  await templates.change(id, () => ({ kind: 'REMOVE' }))
  return succeed(id)
}

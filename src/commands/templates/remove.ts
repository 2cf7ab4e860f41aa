import { refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { TemplateId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import { isAlreadyGone } from '../../domain/template-upstream.ts'
import { isReviewed } from '../../domain/template.ts'
import type { TemplatesPort } from '../../ports/official/templates.ts'
import type { UpstreamNo } from '../../ports/official/write.ts'
import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import { onceMarked } from '../official/ask.ts'
import { SETTLED } from '../official/asking.ts'
import { askedRefusal, beginAsk, inDoubt, letBe } from './asking.ts'
import { drained } from './drained.ts'
import { findTemplate } from './find.ts'
import { isThere } from './merge.ts'
import type { TemplatePorts } from './ports.ts'
import { templatesOf } from './upstream.ts'

/**
 * Removes a template here and upstream; answers its id only when it is gone in both ([templates.delete.2],
 * [templates.delete.3]).
 */
export async function removeTemplate(
  ports: TemplatePorts,
  number: NumberRef,
  idOrName: string,
  language: string | null,
): Promise<Outcome<TemplateId>> {
  const found = await findTemplate(ports, number, idOrName, language)
  if (!found.ok) return found
  const { id } = found.value
  if (!isReviewed(found.value)) return gone(ports, id)
  const upstream = await templatesOf(ports, number)
  if (!upstream.ok) return upstream
  const begun = await beginAsk(ports, found.value, { kind: 'DELETE' }, askedRefusal)
  if (!begun.ok) return begun
  await drained(ports, begun.value)
  return onceMarked(ports, await removeUpstream(ports, begun.value, upstream.value.port))
}

async function removeUpstream(
  ports: TemplatePorts,
  row: StoredTemplate,
  port: TemplatesPort,
): Promise<Outcome<TemplateId>> {
  if (row.externalId === null) return gone(ports, row.id)
  const removed = await port.remove(row.externalId, row.name)
  switch (removed.kind) {
    case 'done':
      return gone(ports, row.id)
    case 'unsent':
      return letBe(ports, row, removed.refusal)
    case 'refused': {
      if (!isAlreadyGone(removed.no.upstreamCode, removed.no.upstreamSubcode))
        return letBe(ports, row, deletionRefusal(row, removed.no))
      return (await isStillThere(row, port)) === true
        ? letBe(ports, row, deletionRefusal(row, removed.no))
        : gone(ports, row.id)
    }
    case 'unknown': {
      const isThereStill = await isStillThere(row, port)
      if (isThereStill === null) return inDoubt(ports, row, removed.refusal)
      return isThereStill ? letBe(ports, row, removed.refusal) : gone(ports, row.id)
    }
  }
}

/**
 * Settles a removal that nobody waits for any more: the row goes when upstream no longer has the template, and stays
 * otherwise.
 */
export async function settleRemoval(
  ports: TemplatePorts,
  row: StoredTemplate,
  port: TemplatesPort,
): Promise<'settled' | 'open'> {
  const isThereStill = await isStillThere(row, port)
  if (isThereStill === null) return 'open'
  await ports.templates.change(row.id, () => (isThereStill ? { kind: 'CHANGE', patch: SETTLED } : { kind: 'REMOVE' }))
  return 'settled'
}

/**
 * Answers null when nobody can tell now. The id is compared, because another template may have taken the name
 * meanwhile.
 */
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

async function gone({ templates }: TemplatePorts, id: TemplateId): Promise<Outcome<TemplateId>> {
  await templates.change(id, () => ({ kind: 'REMOVE' }))
  return succeed(id)
}

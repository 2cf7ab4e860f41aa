import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { isReviewed } from '../../domain/template.ts'
import type { TemplatesPort, UpstreamTemplate } from '../../ports/official/templates.ts'
import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import { onceMarked } from '../official/ask.ts'
import { readUntilCurrent } from '../official/read-until-current.ts'
import type { IsNewer } from '../official/read-until-current.ts'
import { NO_SUCH_TEMPLATE } from './find.ts'
import { linkFlow } from './link-flows.ts'
import { fateFrom } from './merge.ts'
import type { TemplatePorts } from './ports.ts'
import { templatesOf } from './upstream.ts'

/**
 * Reads a template upstream now ([templates.routes.4]); one that upstream no longer has is removed. A template that is
 * being asked about, and a LOCAL one, is answered as it is.
 */
export async function refreshTemplate(
  ports: TemplatePorts,
  number: NumberRef,
  row: StoredTemplate,
): Promise<Outcome<StoredTemplate>> {
  if (!isReviewed(row) || row.ask !== null) return succeed(row)
  const upstream = await templatesOf(ports, number)
  if (!upstream.ok) return upstream
  const taken = await refreshFrom(ports, row, upstream.value.port)
  return taken.ok ? taken.value : onceMarked(ports, taken)
}

/**
 * Makes the row take over what upstream shows now. The outer refusal is upstream's; the inner one says that the
 * template is gone.
 */
export function refreshFrom(
  ports: TemplatePorts,
  row: StoredTemplate,
  port: TemplatesPort,
): Promise<Outcome<Outcome<StoredTemplate>>> {
  return readUntilCurrent(
    ports.clock,
    () => readUpstream(port, row),
    (shown, isNewer) => takeOver(ports, row, shown, isNewer),
  )
}

/** Reads by id, and when that shows nothing, by name and language: only the latter proves that the template is gone. */
export async function readUpstream(
  port: TemplatesPort,
  { externalId, name, language }: Pick<StoredTemplate, 'externalId' | 'name' | 'language'>,
): Promise<Outcome<UpstreamTemplate | null>> {
  const byId = externalId === null ? succeed(null) : await port.read(externalId)
  return byId.ok && byId.value === null ? port.find(name, language) : byId
}

/**
 * Makes the row take over what upstream shows, or removes it when upstream shows nothing; a row that is being asked
 * about stays as it is.
 */
async function takeOver(
  ports: TemplatePorts,
  { id, owner }: StoredTemplate,
  shown: UpstreamTemplate | null,
  isNewer: IsNewer,
): Promise<Outcome<StoredTemplate>> {
  const linked = await linkFlow(ports, owner, shown)
  const changed = await ports.templates.change(id, (row) => {
    if (row.ask !== null || isNewer(row)) return { kind: 'KEEP' }
    return linked ? fateFrom(row, linked, new Date(ports.clock.now())) : { kind: 'REMOVE' }
  })
  return changed && !changed.isRemoved ? succeed(changed.template) : fail(NO_SUCH_TEMPLATE)
}

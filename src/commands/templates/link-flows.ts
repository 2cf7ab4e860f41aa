import type { FlowId } from '../../domain/ids.ts'
import { officialFlowIdsIn } from '../../domain/template-import.ts'
import { flowIdIn } from '../../domain/template-message.ts'
import type { UpstreamTemplate } from '../../ports/official/templates.ts'
import type { FlowOwner } from '../../ports/stores/flow-store.ts'
import type { StoredTemplate, TemplateOwner, TemplateWording } from '../../ports/stores/template-store.ts'
import type { TemplatePorts } from './ports.ts'

/** Our ids of Flows by upstream's ids. Flows that the owner does not have are left out. */
type FlowIds = ReadonlyMap<string, FlowId>

/** A template as upstream shows it, with our ids of the Flows that it opens. */
export interface LinkedTemplate extends UpstreamTemplate {
  readonly flowIds: FlowIds
}

const NONE: FlowIds = new Map()

async function flowIdsOf(
  flows: TemplatePorts['flows'],
  owner: TemplateOwner,
  all: readonly UpstreamTemplate['components'][],
): Promise<FlowIds> {
  const named = [...new Set(all.flatMap(officialFlowIdsIn))]
  return owner.kind === 'ACCOUNT' && named.length > 0 ? flows.byExternalIds(owner, named) : NONE
}

/** Looks up the Flows of templates, all in one read; templates without a Flow cost nothing. */
export async function linkFlows(
  ports: TemplatePorts,
  owner: TemplateOwner,
  shown: readonly UpstreamTemplate[],
): Promise<readonly LinkedTemplate[]> {
  const flowIds = await flowIdsOf(
    ports.flows,
    owner,
    shown.map(({ components }) => components),
  )
  return shown.map((one) => ({ ...one, flowIds }))
}

/** Looks up the Flow of one template; null stays null. */
export async function linkFlow<T extends UpstreamTemplate | null>(
  ports: TemplatePorts,
  owner: TemplateOwner,
  shown: T,
): Promise<LinkedTemplate | Extract<T, null>> {
  const [linked] = shown === null ? [] : await linkFlows(ports, owner, [shown])
  return linked ?? (null as Extract<T, null>)
}

/** What changes in a template that is as it was submitted, once its Flow is known; null when nothing does. */
export function linkedWording(
  { submitted, body, unsupported }: StoredTemplate,
  flowIds: FlowIds,
): Pick<TemplateWording, 'body' | 'unsupported'> | null {
  const flowId = officialFlowIdsIn(submitted ?? [])
    .map((id) => flowIds.get(id))
    .find((id) => id !== undefined)
  if (flowId === undefined || flowId === flowIdIn(body)) return null
  const buttons = body.buttons.map((button) => (button.type === 'FLOW' ? { ...button, flowId } : button))
  return { body: { ...body, buttons }, unsupported: unsupported.filter((part) => part !== 'FLOW') }
}

/** Links the templates of an account to Flows that became known after them, because either may be imported first. */
export async function linkTemplates(
  ports: Pick<TemplatePorts, 'templates' | 'flows'>,
  { tenantId, accountId }: FlowOwner,
): Promise<void> {
  const owner = { kind: 'ACCOUNT' as const, tenantId, accountId }
  const rows = await ports.templates.withUnknownFlows(owner)
  const flowIds = await flowIdsOf(
    ports.flows,
    owner,
    rows.map(({ submitted }) => submitted ?? []),
  )
  for (const { id } of rows) {
    await ports.templates.change(id, (row) => {
      const patch = linkedWording(row, flowIds)
      return patch ? { kind: 'CHANGE', patch } : { kind: 'KEEP' }
    })
  }
}

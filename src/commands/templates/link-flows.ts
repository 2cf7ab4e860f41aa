import type { FlowId } from '../../domain/ids.ts'
import { officialFlowIdsIn } from '../../domain/template-import.ts'
import type { UpstreamTemplate } from '../../ports/official/templates.ts'
import type { FlowStore } from '../../ports/stores/flow-store.ts'
import type { TemplateOwner } from '../../ports/stores/template-store.ts'

export interface LinkFlowsDeps {
  readonly flows: Pick<FlowStore, 'byExternalIds'>
}

/** A template as upstream shows it, with the Flows it opens as its owner knows them. */
export interface LinkedTemplate extends UpstreamTemplate {
  /** Our ids by upstream's; those that the owner does not have are left out. */
  readonly flowIds: ReadonlyMap<string, FlowId>
}

const NONE: ReadonlyMap<string, FlowId> = new Map()

/** Looks up the Flows of templates, all at once; templates without any cost nothing. */
export async function linkFlows({ flows }: LinkFlowsDeps, owner: TemplateOwner, shown: readonly UpstreamTemplate[]): Promise<readonly LinkedTemplate[]> {
  const named = [...new Set(shown.flatMap(({ components }) => officialFlowIdsIn(components)))]
  const flowIds = owner.kind === 'ACCOUNT' && named.length > 0 ? await flows.byExternalIds(owner, named) : NONE
  return shown.map((one) => ({ ...one, flowIds }))
}

/** The same of one. */
export async function linkFlow<T extends UpstreamTemplate | null>(deps: LinkFlowsDeps, owner: TemplateOwner, shown: T): Promise<LinkedTemplate | Extract<T, null>> {
  const [linked] = shown === null ? [] : await linkFlows(deps, owner, [shown])
  return linked ?? null as Extract<T, null>
}

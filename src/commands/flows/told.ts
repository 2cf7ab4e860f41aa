import { decideFlowNews } from '../../domain/flow-events.ts'
import type { FlowDecision, FlowNews } from '../../domain/flow-events.ts'
import type { FlowId, TenantId } from '../../domain/ids.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { UpstreamFlow } from '../../ports/official/flows.ts'
import type { FlowFate, FlowStore, StoredFlow } from '../../ports/stores/flow-store.ts'
import type { TemplateStore } from '../../ports/stores/template-store.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import type { AccountPortDeps } from '../official/account-port.ts'
import { readUntilCurrent } from '../official/read-until-current.ts'
import type { IsNewer } from '../official/read-until-current.ts'
import { linkTemplates } from '../templates/link-flows.ts'
import { mergeShown } from './merge.ts'

export interface FlowToldDeps extends AccountPortDeps {
  readonly flows: FlowStore
  readonly templates: TemplateStore
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** What a webhook of an account says of a Flow. */
export interface FlowEvent {
  /** Whose webhook it came by. */
  readonly tenantId: TenantId
  readonly accountId: string
  readonly news: FlowNews
  /** `entry.time`. */
  readonly at: Date
}

/**
 * Applies news in every tenant that has the account; what only upstream can tell, and what nobody knows, is read there
 * (contract 11, Import).
 */
export async function flowTold(deps: FlowToldDeps, event: FlowEvent): Promise<void> {
  const rows = await deps.flows.ofAccount(event.accountId, event.news.externalId)
  const decisions = await Promise.all(rows.map(({ id }) => applyTo(deps, id, event)))
  const isUnknownSomewhere = (await deps.flows.tenantsOf(event.accountId)).some(
    (tenantId) => !rows.some((row) => row.tenantId === tenantId),
  )
  if (decisions.includes('REREAD') || isUnknownSomewhere) await readAnew(deps, event)
}

async function applyTo({ flows }: FlowToldDeps, id: FlowId, { news, at }: FlowEvent): Promise<FlowDecision> {
  let decided: FlowDecision = 'NONE'
  await flows.change(id, (row) => {
    decided = decideFlowNews(news, at, row)
    return decided === 'CHANGE' && news.status !== null
      ? { kind: 'CHANGE', patch: statusPatch(row, news.status, at) }
      : { kind: 'KEEP' }
  })
  return decided
}

function statusPatch(
  { officialStatus: before, publishedAt }: StoredFlow,
  officialStatus: StoredFlow['officialStatus'],
  at: Date,
): (FlowFate & { readonly kind: 'CHANGE' })['patch'] {
  const isPublished = before === 'DRAFT' && officialStatus !== 'DRAFT'
  return { officialStatus, statusAt: at, publishedAt: publishedAt ?? (isPublished ? at : null) }
}

/** Where it cannot be read now, the next listing brings it. */
async function readAnew(deps: FlowToldDeps, { tenantId, accountId, news }: FlowEvent): Promise<void> {
  const upstream = await upstreamOfAccount(deps, tenantId, accountId)
  const read =
    upstream
    && (await readUntilCurrent(
      deps.clock,
      () => upstream.flows.read(news.externalId),
      async (shown, isNewer) => {
        if (shown) await mergeRead(deps, accountId, shown, isNewer)
        return shown
      },
    ))
  if (!read?.ok || !read.value) deps.log.warn({ accountId }, 'a Flow that upstream spoke of could not be read')
}

/** Merges what was read into every tenant of the account. */
async function mergeRead(deps: FlowToldDeps, accountId: string, shown: UpstreamFlow, isNewer: IsNewer): Promise<void> {
  for (const tenantId of await deps.flows.tenantsOf(accountId)) {
    const owner = { tenantId, accountId }
    const decide = mergeShown(owner, null, new Date(deps.clock.now()))
    await deps.flows.merge(owner, null, [shown], (one: UpstreamFlow, row) =>
      row && row.ask === null && isNewer(row) ? { kind: 'KEEP' } : decide(one, row),
    )
    await linkTemplates(deps, owner)
  }
}

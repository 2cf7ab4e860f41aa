import { decideFlowNews } from '../../domain/flow-events.ts'
import type { FlowDecision, FlowNews } from '../../domain/flow-events.ts'
import type { FlowId, TenantId } from '../../domain/ids.ts'
import type { UpstreamFlow } from '../../ports/official/flows.ts'
import type { FlowFate, StoredFlow } from '../../ports/stores/flow-store.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import { touching } from '../official/merging.ts'
import { applyNews, readForNews } from '../official/news.ts'
import type { NewsMoment } from '../official/news.ts'
import { linkTemplates } from '../templates/link-flows.ts'
import { mergeShown } from './merge.ts'
import type { FlowPorts } from './ports.ts'

/** What a webhook of an account says of a Flow. */
export interface FlowEvent {
  /** The tenant whose webhook it came by. */
  readonly tenantId: TenantId
  readonly accountId: string
  readonly news: FlowNews
  /** The time `entry.time` of the webhook. */
  readonly at: Date
}

/**
 * Applies news to every tenant that has the account ([flows.upstream.7]). What only upstream can tell, and a Flow that
 * is unknown, is read there ([flows.upstream.9]).
 */
export async function flowTold(ports: FlowPorts, event: FlowEvent): Promise<void> {
  await applyNews({
    rows: () => ports.flows.ofAccount(event.accountId, event.news.externalId),
    tenants: await ports.flows.tenantsOf(event.accountId),
    isImported: true,
    apply: ({ id }, moment) => applyTo(ports, id, event, moment),
    readAnew: () => readAnew(ports, event),
  })
}

/** Which decision is written at which moment; what was read upstream stands, with the time of news that it confirms. */
const WRITTEN = { AT_ONCE: 'CHANGE', READ: null, UNREAD: 'DOUBT' } as const

/** Writes the status that the news tell; answers the decision. */
async function applyTo(
  { flows }: FlowPorts,
  id: FlowId,
  { news, at }: FlowEvent,
  moment: NewsMoment,
): Promise<FlowDecision> {
  let decided: FlowDecision = 'NONE'
  await flows.change(id, (row) => {
    decided = decideFlowNews(news, at, row)
    const isConfirmed = moment === 'READ' && news.status === row.officialStatus
    return (isConfirmed || decided === WRITTEN[moment]) && news.status !== null
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

/** As `applyNews` has it. When the Flow cannot be read now, the next listing brings it. */
async function readAnew(
  ports: FlowPorts,
  { tenantId, accountId, news }: FlowEvent,
): Promise<ReadonlySet<string> | null> {
  const upstream = await upstreamOfAccount(ports, tenantId, accountId)
  const left =
    upstream
    && (await readForNews(
      ports.clock,
      () => upstream.flows.read(news.externalId),
      (shown, isKept) => mergeRead(ports, accountId, shown, isKept),
    ))
  if (!left) ports.log.warn({ accountId }, 'a Flow that upstream spoke of could not be read')
  return left
}

/** Merges what was read into every tenant of the account, except where a row is kept. */
async function mergeRead(
  ports: FlowPorts,
  accountId: string,
  shown: UpstreamFlow,
  isKept: (row: StoredFlow) => boolean,
): Promise<void> {
  for (const tenantId of await ports.flows.tenantsOf(accountId)) {
    const owner = { tenantId, accountId }
    const decide = mergeShown(owner, null, new Date(ports.clock.now()))
    await ports.flows.merge(owner, null, [shown], (one: UpstreamFlow, row) =>
      row && isKept(row) ? { kind: 'KEEP' } : touching(row, decide(one, row)),
    )
    await linkTemplates(ports, owner)
  }
}

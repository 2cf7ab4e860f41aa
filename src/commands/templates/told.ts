import { succeed } from '../../domain/errors.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Fields } from '../../domain/json-fields.ts'
import { decideTemplateEvent, UNTOLD } from '../../domain/template-events.ts'
import type { TemplateDecision, TemplateEventKind, TemplateRef } from '../../domain/template-events.ts'
import type { TemplatesPort, UpstreamTemplate } from '../../ports/official/templates.ts'
import type { StoredTemplate, TemplateFate } from '../../ports/stores/template-store.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import { applyNews, readForNews } from '../official/news.ts'
import type { NewsMoment } from '../official/news.ts'
import { touching } from '../official/merging.ts'
import { linkFlows } from './link-flows.ts'
import { forgotten, mergeShown, untold } from './merge.ts'
import type { TemplatePorts } from './ports.ts'

/** What a webhook of an account says of a template. */
export interface TemplateEvent {
  /** The tenant whose webhook it came by. */
  readonly tenantId: TenantId
  readonly accountId: string
  readonly kind: TemplateEventKind
  readonly ref: TemplateRef
  readonly value: Fields
  /** The time `entry.time` of the webhook. */
  readonly at: Date
}

/**
 * Applies an event in every tenant that has the account. What only upstream can tell, and a template that is unknown,
 * is read there ([templates.account-changes.1]–[templates.account-changes.3]).
 */
export async function templateTold(ports: TemplatePorts, event: TemplateEvent): Promise<void> {
  await applyNews({
    rows: () => ports.templates.ofAccount(event.accountId, event.ref),
    tenants: await ports.templates.tenantsOf(event.accountId),
    isImported: decideTemplateEvent(event.kind, event.value, event.at, UNTOLD).kind !== 'REMOVE',
    apply: ({ id }, moment) => applyTo(ports, id, event, moment),
    readAnew: () => readAnew(ports, event),
  })
}

/**
 * Writes what an event makes of a row; answers the decision. A row in doubt is written when upstream could not be read.
 * When it could, the event still tells the reason of a status that upstream shows, too.
 */
async function applyTo(
  { templates }: TemplatePorts,
  id: StoredTemplate['id'],
  event: TemplateEvent,
  moment: NewsMoment,
): Promise<TemplateDecision['kind']> {
  let decided: TemplateDecision = { kind: 'NONE' }
  await templates.change(id, (row) => {
    decided = decideFor(row, event)
    return decided.kind === 'DOUBT' && moment !== 'UNREAD' ? { kind: 'KEEP' } : fateOf(decided)
  })
  return decided.kind
}

/**
 * Decides for a row. The name may have belonged to another template before, so an event that names another id is not
 * about this one. A row that is being asked about takes over nothing that is read, so its event is never in doubt.
 */
function decideFor(row: StoredTemplate, event: TemplateEvent): TemplateDecision {
  const { externalId, ask } = row
  if (ask?.kind === 'CREATE') return duringCreation(row, event)
  const { kind, ref, value, at } = event
  const decided = decideTemplateEvent(kind, value, at, row)
  const isOther = ref.externalId !== null && externalId !== null && externalId !== ref.externalId
  if (decided.kind === 'REMOVE') return isOther ? { kind: 'NONE' } : decided
  if (decided.kind !== 'CHANGE' && decided.kind !== 'DOUBT') return decided
  if (isOther) return { kind: 'REREAD' }
  return ask === null ? decided : { ...decided, kind: 'CHANGE' }
}

/**
 * Until a creation is answered nobody knows its id. An event may be of the template that had the name before, whose end
 * does not end the creation. What is told of one id is kept with it, and the answer says whether it counts.
 */
function duringCreation(row: StoredTemplate, { kind, ref, value, at }: TemplateEvent): TemplateDecision {
  const of = ref.externalId ?? row.applied.of
  const isOther = row.applied.of !== undefined && row.applied.of !== of
  const before = isOther ? forgotten(row) : row
  const decided = decideTemplateEvent(kind, value, at, before)
  if (decided.kind === 'REMOVE') return { kind: 'NONE' }
  if (decided.kind !== 'CHANGE' && decided.kind !== 'DOUBT') return decided
  return {
    kind: 'CHANGE',
    change: { ...(isOther ? untold(row) : {}), ...decided.change },
    applied: { ...decided.applied, ...(of === undefined ? {} : { of }) },
  }
}

function fateOf(decision: TemplateDecision): TemplateFate {
  switch (decision.kind) {
    case 'CHANGE':
    case 'DOUBT':
      return { kind: 'CHANGE', patch: { ...decision.change, applied: decision.applied } }
    case 'REMOVE':
      return { kind: 'REMOVE' }
    default:
      return { kind: 'KEEP' }
  }
}

/** As `applyNews` has it. When the template cannot be read now, the next listing brings it. */
async function readAnew(
  ports: TemplatePorts,
  { tenantId, accountId, ref }: TemplateEvent,
): Promise<ReadonlySet<string> | null> {
  const upstream = await upstreamOfAccount(ports, tenantId, accountId)
  const had = new Set<TenantId>()
  const left =
    upstream
    && (await readForNews(
      ports.clock,
      async () => {
        for (const row of await ports.templates.ofAccount(accountId, ref)) had.add(row.tenantId)
        return succeed(await find(upstream.templates, ref))
      },
      (shown, isKept) => mergeRead(ports, accountId, shown, (row, of) => (row !== null || had.has(of)) && isKept(row)),
    ))
  if (!left) ports.log.warn({ accountId }, 'a template that upstream spoke of could not be read')
  return left
}

/** Merges what was read into every tenant of the account, except where a row, or its removal, is kept. */
async function mergeRead(
  ports: TemplatePorts,
  accountId: string,
  shown: UpstreamTemplate,
  isKept: (row: StoredTemplate | null, of: TenantId) => boolean,
): Promise<void> {
  for (const tenantId of await ports.templates.tenantsOf(accountId)) {
    const owner = { kind: 'ACCOUNT' as const, tenantId, accountId }
    const decide = mergeShown(owner, null, new Date(ports.clock.now()))
    await ports.templates.merge(owner, null, await linkFlows(ports, owner, [shown]), (one, row) =>
      isKept(row, tenantId) ? { kind: 'KEEP' } : touching(row, decide(one, row)),
    )
  }
}

async function find(
  port: TemplatesPort,
  { externalId, name, language }: TemplateRef,
): Promise<UpstreamTemplate | null> {
  const byId = externalId === null ? null : await port.read(externalId)
  if (byId?.ok && byId.value) return byId.value
  const byName = name === null || language === null ? null : await port.find(name, language.replace('-', '_'))
  return byName?.ok ? byName.value : null
}

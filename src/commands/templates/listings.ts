import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { newId } from '../../domain/ids.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TemplatesPort, UpstreamTemplate } from '../../ports/official/templates.ts'
import type { MergeCounts, TemplateStore } from '../../ports/stores/template-store.ts'
import { mergeShown } from './merge.ts'

export interface ListingDeps {
  readonly templates: Pick<TemplateStore, 'tenantsOf' | 'merge' | 'removeUnseen' | 'listed'>
  readonly clock: Pick<Clock, 'now'>
}

/** What a complete listing did in one tenant (contract 10, sync). */
export interface ListingCounts extends MergeCounts {
  readonly removed: number
  /** Templates that upstream has. */
  readonly total: number
}

/** Listings of accounts under way: one at a time per account, which all who want one share (contract 10, Import). */
export interface Listings {
  /** Merges all templates of the account into every tenant that has it, and answers what that did in this one. */
  list(accountId: string, port: TemplatesPort, tenantId: TenantId): Promise<Outcome<ListingCounts>>
}

type Counts = ReadonlyMap<TenantId, ListingCounts>

const NOTHING: ListingCounts = { imported: 0, updated: 0, removed: 0, total: 0 }

/** Makes what this node's listings are shared by. */
export function createListings(deps: ListingDeps): Listings {
  const running = new Map<string, Promise<Outcome<Counts>>>()
  return {
    async list(accountId, port, tenantId) {
      const shared = running.get(accountId) ?? listAccount(deps, accountId, port).finally(() => running.delete(accountId))
      running.set(accountId, shared)
      const listed = await shared
      return listed.ok ? succeed(listed.value.get(tenantId) ?? NOTHING) : listed
    },
  }
}

/** Page by page, so that no more than one is in memory. A page that fails removes nothing. */
async function listAccount(deps: ListingDeps, accountId: string, port: TemplatesPort): Promise<Outcome<Counts>> {
  const { templates, clock } = deps
  const listing = newId('list')
  const began = new Date(clock.now())
  const tenants = await templates.tenantsOf(accountId)
  const merged = new Map<TenantId, MergeCounts>()
  let total = 0
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const asked = new Date(clock.now())
    const page = await port.page(after)
    if (!page.ok) return fail(page.error)
    for (const tenantId of tenants) merged.set(tenantId, sum(merged.get(tenantId), await mergePage(deps, { tenantId, accountId, listing, asked }, page.value.templates)))
    total += page.value.templates.length
    after = page.value.next
  }
  const counts = new Map<TenantId, ListingCounts>()
  for (const [tenantId, count] of merged) {
    const removed = await templates.removeUnseen({ kind: 'ACCOUNT', tenantId, accountId }, listing, began)
    await templates.listed(tenantId, accountId)
    counts.set(tenantId, { ...count, removed, total })
  }
  return succeed(counts)
}

interface PageOf {
  readonly tenantId: TenantId
  readonly accountId: string
  readonly listing: string
  readonly asked: Date
}

function mergePage({ templates, clock }: ListingDeps, { tenantId, accountId, listing, asked }: PageOf, page: readonly UpstreamTemplate[]): Promise<MergeCounts> {
  const owner = { kind: 'ACCOUNT' as const, tenantId, accountId }
  return templates.merge(owner, listing, page, mergeShown(owner, asked, new Date(clock.now())))
}

function sum(before: MergeCounts | undefined, { imported, updated }: MergeCounts): MergeCounts {
  return { imported: (before?.imported ?? 0) + imported, updated: (before?.updated ?? 0) + updated }
}

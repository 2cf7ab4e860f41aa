import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { newId } from '../../domain/ids.ts'
import type { TenantId } from '../../domain/ids.ts'
import { SharedWork } from '../../domain/shared-work.ts'
import type { Clock } from '../../ports/clock.ts'

interface MergeCounts {
  readonly imported: number
  /** Rows that changed. */
  readonly updated: number
}

/** What a complete listing did in one tenant, as `sync` answers it ([templates.routes.7], [flows.routes.3]). */
export interface ListingCounts extends MergeCounts {
  readonly removed: number
  /** How many upstream has. */
  readonly total: number
}

/**
 * Listings of accounts. One runs at a time per account, and all callers who want it share it ([templates.import.2]).
 */
export interface Listings<Port> {
  /** Merges everything the account has into every tenant that has it, and answers what that did in this tenant. */
  list(accountId: string, port: Port, tenantId: TenantId): Promise<Outcome<ListingCounts>>
}

interface Owner {
  readonly tenantId: TenantId
  readonly accountId: string
}

/** What a listing reads, and where it merges it. */
export interface ListingSteps<Port, Item> {
  tenantsOf(accountId: string): Promise<readonly TenantId[]>
  page(
    port: Port,
    after: string | null,
  ): Promise<Outcome<{ readonly items: readonly Item[]; readonly next: string | null; readonly isWhole: boolean }>>
  /** `asked` is when the page was asked for. */
  merge(owner: Owner, listing: string, items: readonly Item[], asked: Date): Promise<MergeCounts>
  /** Called after a complete listing that began at `since`; answers how many rows it removed. */
  removeUnseen(owner: Owner, listing: string, since: Date): Promise<number>
  /** Notes that a complete listing of the account ended now. */
  listed(owner: Owner): Promise<void>
  readonly clock: Pick<Clock, 'now'>
}

type Counts = ReadonlyMap<TenantId, ListingCounts>

const NOTHING: ListingCounts = { imported: 0, updated: 0, removed: 0, total: 0 }

/** Makes the listings that the callers of this node share. */
export function listingsOf<Port, Item>(steps: ListingSteps<Port, Item>): Listings<Port> {
  const running = new SharedWork<Outcome<Counts>>()
  return {
    async list(accountId, port, tenantId) {
      const listed = await running.join(accountId, () => listAccount(steps, accountId, port))
      return listed.ok ? succeed(listed.value.get(tenantId) ?? NOTHING) : listed
    },
  }
}

/**
 * Lists page by page, so that no more than one page is in memory. A page that fails removes nothing, nor does one with
 * an item that cannot be read, which may be the one that the listing lacks.
 */
async function listAccount<Port, Item>(
  steps: ListingSteps<Port, Item>,
  accountId: string,
  port: Port,
): Promise<Outcome<Counts>> {
  const listing = newId('list')
  const began = new Date(steps.clock.now())
  const tenants = await steps.tenantsOf(accountId)
  const merged = new Map<TenantId, MergeCounts>()
  let [total, isWhole] = [0, true]
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const asked = new Date(steps.clock.now())
    const page = await steps.page(port, after)
    if (!page.ok) return fail(page.error)
    for (const tenantId of tenants)
      merged.set(
        tenantId,
        sum(merged.get(tenantId), await steps.merge({ tenantId, accountId }, listing, page.value.items, asked)),
      )
    total += page.value.items.length
    isWhole &&= page.value.isWhole
    after = page.value.next
  }
  const counts = new Map<TenantId, ListingCounts>()
  for (const [tenantId, count] of merged) {
    const removed = isWhole ? await steps.removeUnseen({ tenantId, accountId }, listing, began) : 0
    await steps.listed({ tenantId, accountId })
    counts.set(tenantId, { ...count, removed, total })
  }
  return succeed(counts)
}

function sum(before: MergeCounts | undefined, { imported, updated }: MergeCounts): MergeCounts {
  return { imported: (before?.imported ?? 0) + imported, updated: (before?.updated ?? 0) + updated }
}

import type { Log } from '../../ports/log.ts'
import type { DueListing, TemplateStore } from '../../ports/stores/template-store.ts'
import { portOfAccount } from './account-port.ts'
import type { AccountPortDeps } from './account-port.ts'
import type { Listings } from './listings.ts'

export interface ListDueDeps extends AccountPortDeps {
  readonly templates: Pick<TemplateStore, 'takeDueListings'>
  readonly listings: Listings
  readonly log: Log
}

/** contract 10, Import. */
const EVERY_MS = 3_600_000
const PENDING_MS = 600_000
/** Our choice: a listing that failed, or whose node died, is tried again after so long. */
const LEASE_MS = 300_000
/** Our choice: accounts of a turn. */
const TAKEN = 10

/** Lists the templates of accounts whose time has come. Answers whether there may be more. */
export async function listDueTemplates(deps: ListDueDeps, isWanted: () => boolean): Promise<boolean> {
  const due = await deps.templates.takeDueListings(TAKEN, EVERY_MS, PENDING_MS, LEASE_MS)
  for (const { tenantId, accountId } of due) {
    if (!isWanted()) return false
    // Its lease brings it back.
    await listOne(deps, { tenantId, accountId }).catch((error: unknown) => deps.log.error({ accountId, error: String(error) }, 'templates of an account were not listed'))
  }
  return due.length === TAKEN
}

async function listOne(deps: ListDueDeps, { tenantId, accountId }: DueListing): Promise<void> {
  const port = await portOfAccount(deps, tenantId, accountId)
  const listed = port && await deps.listings.list(accountId, port, tenantId)
  if (listed && !listed.ok) deps.log.warn({ accountId, code: listed.error.code }, 'templates of an account were not listed')
}

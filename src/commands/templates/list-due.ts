import type { Log } from '../../ports/log.ts'
import type { TemplateStore } from '../../ports/stores/template-store.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import type { AccountPortDeps } from '../official/account-port.ts'
import { LIST_EVERY_MS, listDueAccounts } from '../official/list-due.ts'
import type { TemplateListings } from './listings.ts'

export interface ListDueDeps extends AccountPortDeps {
  readonly templates: Pick<TemplateStore, 'takeDueListings'>
  readonly listings: TemplateListings
  readonly log: Log
}

/** contract 10, Import. */
const PENDING_MS = 600_000

/** Lists the templates of accounts whose time has come. Answers whether there may be more. */
export function listDueTemplates(deps: ListDueDeps, isWanted: () => boolean): Promise<boolean> {
  return listDueAccounts(
    {
      log: deps.log,
      what: 'templates',
      take: (limit, leaseMs) => deps.templates.takeDueListings(limit, LIST_EVERY_MS, PENDING_MS, leaseMs),
      async list({ tenantId, accountId }) {
        const upstream = await upstreamOfAccount(deps, tenantId, accountId)
        return upstream && deps.listings.list(accountId, upstream.templates, tenantId)
      },
    },
    isWanted,
  )
}

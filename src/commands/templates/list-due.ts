import { upstreamOfAccount } from '../official/account-port.ts'
import { LIST_EVERY_MS, listDueAccounts } from '../official/list-due.ts'
import type { TemplateListings } from './listings.ts'
import type { TemplatePorts } from './ports.ts'

/** While a template is pending, its account is listed so often, ms [templates.import.1]. */
const PENDING_MS = 600_000

/** Lists the templates of accounts whose listing is due. Answers whether there may be more. */
export function listDueTemplates(
  ports: TemplatePorts,
  listings: TemplateListings,
  isWanted: () => boolean,
): Promise<boolean> {
  return listDueAccounts(
    {
      log: ports.log,
      what: 'templates',
      take: (limit, leaseMs) => ports.templates.takeDueListings(limit, LIST_EVERY_MS, PENDING_MS, leaseMs),
      async list({ tenantId, accountId }) {
        const upstream = await upstreamOfAccount(ports, tenantId, accountId)
        return upstream && listings.list(accountId, upstream.templates, tenantId)
      },
    },
    isWanted,
  )
}

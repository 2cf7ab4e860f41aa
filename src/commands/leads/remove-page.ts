import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { LeadPageScope } from '../../ports/stores/lead-page-store.ts'
import { findLinked, NO_SUCH_PAGE } from './find-page.ts'
import type { LeadNode } from './node.ts'
import { pagePort } from './page-port.ts'

/**
 * Unlinks a Page; its leads stay. Upstream is told first, while the row keeps everybody from linking the Page again: a
 * late answer would undo that. Whether upstream agrees does not matter ([leads.routes.7]). Refusal:
 * LEAD_PAGE_NOT_FOUND.
 */
export async function removePage(node: LeadNode, scope: LeadPageScope, pageId: string): Promise<Outcome<string>> {
  const linked = await findLinked(node, scope, pageId)
  if (!linked.ok) return linked
  const told = await pagePort(node.pageOf, linked.value).unsubscribe()
  if (told.kind !== 'read')
    node.log.info(
      { pageId, outcome: told.kind, upstreamCode: told.no.upstreamCode },
      'a Page was unlinked, and upstream did not agree',
    )
  if (!(await node.leadPages.remove(scope, pageId))) return fail(NO_SUCH_PAGE)
  await node.appSecrets.forget(linked.value.page.appId)
  return succeed(pageId)
}

import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { Log } from '../../ports/log.ts'
import type { PageOf } from '../../ports/official/pages.ts'
import type { LeadPageScope, LeadPageStore } from '../../ports/stores/lead-page-store.ts'
import { findLinked, NO_SUCH_PAGE } from './find-page.ts'
import { pagePort } from './page-port.ts'

export interface RemovePageDeps {
  readonly leadPages: Pick<LeadPageStore, 'find' | 'load' | 'remove'>
  readonly pageOf: PageOf
  readonly forgetApp: (appId: string) => Promise<void>
  readonly log: Log
}

/**
 * Unlinks a Page; its leads stay. Upstream is told first, while nobody can link the Page anew: a late answer would undo
 * that. Whether it agrees does not matter (contract 12). Refusal: LEAD_PAGE_NOT_FOUND.
 */
export async function removePage(
  { leadPages, pageOf, forgetApp, log }: RemovePageDeps,
  scope: LeadPageScope,
  pageId: string,
): Promise<Outcome<string>> {
  const linked = await findLinked({ leadPages }, scope, pageId)
  if (!linked.ok) return linked
  const told = await pagePort(pageOf, linked.value).unsubscribe()
  if (told.kind !== 'read')
    log.info(
      { pageId, outcome: told.kind, upstreamCode: told.no.upstreamCode },
      'a Page was unlinked, and upstream did not agree',
    )
  if (!(await leadPages.remove(scope, pageId))) return fail(NO_SUCH_PAGE)
  await forgetApp(linked.value.page.appId)
  return succeed(pageId)
}

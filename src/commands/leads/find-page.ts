import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { LeadPage } from '../../domain/lead.ts'
import type { LeadPageScope, LeadPageStore } from '../../ports/stores/lead-page-store.ts'
import type { LoadedPage } from './page-port.ts'

export interface FindPageDeps {
  readonly leadPages: Pick<LeadPageStore, 'find' | 'load'>
}

export const NO_SUCH_PAGE: Refusal = refuse('LEAD_PAGE_NOT_FOUND', 'No such Page is linked')

/** The Page, if it is of the scope. Refusal: LEAD_PAGE_NOT_FOUND. */
export async function findPage(
  { leadPages }: FindPageDeps,
  scope: LeadPageScope,
  pageId: string,
): Promise<Outcome<LeadPage>> {
  const page = await leadPages.find(scope, pageId)
  return page ? succeed(page) : fail(NO_SUCH_PAGE)
}

/** The same with its secrets; it may have been linked anew by another tenant between the two. */
export async function findLinked(
  { leadPages }: FindPageDeps,
  scope: LeadPageScope,
  pageId: string,
): Promise<Outcome<LoadedPage>> {
  const linked = (await leadPages.find(scope, pageId)) ? await leadPages.load(pageId) : null
  return linked?.page.tenantId === scope.tenantId ? succeed(linked) : fail(NO_SUCH_PAGE)
}

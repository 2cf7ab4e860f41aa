import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { LeadPage } from '../../domain/lead.ts'
import type { LeadPageScope } from '../../ports/stores/lead-page-store.ts'
import type { LoadedPage } from './page-port.ts'
import type { LeadPorts } from './ports.ts'

export const NO_SUCH_PAGE: Refusal = refuse('LEAD_PAGE_NOT_FOUND', 'No linked Page has this id')

/** Finds the Page, when it belongs to the scope. Refusal: LEAD_PAGE_NOT_FOUND. */
export async function findPage(
  { leadPages }: LeadPorts,
  scope: LeadPageScope,
  pageId: string,
): Promise<Outcome<LeadPage>> {
  const page = await leadPages.find(scope, pageId)
  return page ? succeed(page) : fail(NO_SUCH_PAGE)
}

/**
 * Finds the Page with its secrets. The tenant is compared again, because another tenant may have linked the Page
 * between the two reads. Refusal: LEAD_PAGE_NOT_FOUND.
 */
export async function findLinked(
  { leadPages }: LeadPorts,
  scope: LeadPageScope,
  pageId: string,
): Promise<Outcome<LoadedPage>> {
  const linked = (await leadPages.find(scope, pageId)) ? await leadPages.load(pageId) : null
  return linked?.page.tenantId === scope.tenantId ? succeed(linked) : fail(NO_SUCH_PAGE)
}

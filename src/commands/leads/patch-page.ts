import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { LeadPage } from '../../domain/lead.ts'
import type { LeadPagePatch, LeadPageScope } from '../../ports/stores/lead-page-store.ts'
import { findLinked, NO_SUCH_PAGE } from './find-page.ts'
import type { LeadNode } from './node.ts'
import { credentialsOf } from './page-port.ts'
import type { LoadedPage } from './page-port.ts'
import { provePage, subscribePage } from './page-upstream.ts'

/** A field that is absent stays as it is. */
export interface PageChange {
  /** The caller has found it to be the tenant's. */
  readonly channelNumberId?: NumberId | undefined
  readonly accessToken?: string | undefined
  readonly appSecret?: string | undefined
}

/**
 * Moves a Page to another number of the tenant, or gives it another token or app secret, which upstream has to take as
 * it took the first ([leads.routes.6]). What waits for a token is fetched at once. Changes everything or nothing.
 * Refusals: LEAD_PAGE_NOT_FOUND, LEAD_PAGE_REJECTED, OFFICIAL_ERROR, OFFICIAL_THROTTLED, NUMBER_NOT_FOUND.
 */
export async function patchPage(
  node: LeadNode,
  scope: LeadPageScope,
  pageId: string,
  change: PageChange,
): Promise<Outcome<LeadPage>> {
  const linked = await findLinked(node, scope, pageId)
  if (!linked.ok) return linked
  const proved = await prove(node, linked.value, change)
  if (!proved.ok) return proved
  const { channelNumberId } = change
  const patched = await node.leadPages.patch(scope, pageId, {
    ...(channelNumberId === undefined ? {} : { channelNumberId }),
    ...proved.value,
  })
  if (patched === 'gone') return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  if (patched === null) return fail(NO_SUCH_PAGE)
  await node.appSecrets.forget(patched.appId)
  node.leadsDue()
  return succeed(patched)
}

/** The fields to change once upstream took a new token or secret; none when neither is given. */
async function prove(
  node: LeadNode,
  linked: LoadedPage,
  { accessToken, appSecret }: PageChange,
): Promise<Outcome<LeadPagePatch>> {
  if (accessToken === undefined && appSecret === undefined) return succeed({})
  const { pageId, appId } = linked.page
  const given = {
    ...(accessToken === undefined ? {} : { accessToken }),
    ...(appSecret === undefined ? {} : { appSecret }),
  }
  const port = node.pageOf({ ...credentialsOf(linked), ...given })
  const proved = await provePage(port, pageId)
  if (!proved.ok) return proved
  if (accessToken === undefined) await node.leadPages.tokenLives(pageId, linked.secrets.tokenVersion)
  const subscribed = await subscribePage(node, port, appId)
  return subscribed.ok ? succeed({ ...given, pageName: proved.value, webhookStatus: subscribed.value }) : subscribed
}

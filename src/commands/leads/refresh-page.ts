import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { pageWebhookUrlOf } from '../../domain/lead-page.ts'
import type { LeadPage } from '../../domain/lead.ts'
import type { LeadPageScope, LeadPageStore } from '../../ports/stores/lead-page-store.ts'
import { findLinked, findPage, NO_SUCH_PAGE } from './find-page.ts'
import { pagePort } from './page-port.ts'
import type { LoadedPage } from './page-port.ts'
import { askPage, outcomeOf } from './page-upstream.ts'
import type { AskPageDeps } from './page-upstream.ts'

export interface RefreshPageDeps extends AskPageDeps {
  readonly leadPages: Pick<LeadPageStore, 'find' | 'load' | 'list' | 'patch' | 'tokenDied' | 'tokenLives'>
  /** Public base of REST, where upstream delivers. */
  readonly baseUrl: string
  /** Leads may be due: whoever fetches them is woken. */
  readonly leadsDue: () => void
}

/** Our choice: Pages of a list that are asked about at once. */
const AT_ONCE = 4

/**
 * Asks upstream for the Page's name, whether its token is good, and where its app's webhook leads; changes nothing
 * there. A dead token is no refusal: the answer shows it. Refusals: LEAD_PAGE_NOT_FOUND, LEAD_PAGE_REJECTED,
 * OFFICIAL_ERROR, OFFICIAL_THROTTLED.
 */
export async function refreshPage(
  deps: RefreshPageDeps,
  scope: LeadPageScope,
  pageId: string,
): Promise<Outcome<LeadPage>> {
  const linked = await findLinked(deps, scope, pageId)
  return linked.ok ? refresh(deps, scope, linked.value) : linked
}

async function refresh(deps: RefreshPageDeps, scope: LeadPageScope, linked: LoadedPage): Promise<Outcome<LeadPage>> {
  const {
    page: { pageId, appId, isTokenValid },
    secrets,
  } = linked
  const read = await askPage(deps, linked, (port) => port.read())
  if (read.kind === 'token-dead') return findPage(deps, scope, pageId)
  const named = outcomeOf(read)
  if (!named.ok) return named
  if (!isTokenValid) {
    await deps.leadPages.tokenLives(pageId, secrets.tokenVersion)
    deps.leadsDue()
  }
  // Of the app, not of the Page's token: what it refuses says nothing of that.
  const webhook = outcomeOf(await pagePort(deps.pageOf, linked).appWebhook(pageWebhookUrlOf(deps.baseUrl, appId)))
  if (!webhook.ok && webhook.error.code !== 'LEAD_PAGE_REJECTED') return webhook
  const patched = await deps.leadPages.patch(scope, pageId, {
    pageName: named.value.pageName,
    ...(webhook.ok ? { webhookStatus: webhook.value } : {}),
  })
  return patched === null || patched === 'gone' ? fail(NO_SUCH_PAGE) : succeed(patched)
}

/**
 * The same for every Page of the scope. One that upstream refuses, or that was removed meanwhile, is left as it is.
 * Refusals: OFFICIAL_ERROR, OFFICIAL_THROTTLED, the first of them; then no more is asked.
 */
export async function refreshPages(deps: RefreshPageDeps, scope: LeadPageScope): Promise<Outcome<readonly LeadPage[]>> {
  const waiting = (await deps.leadPages.list(scope)).map(({ pageId }) => pageId)
  let refusal: Refusal | null = null
  const lane = async (): Promise<void> => {
    for (let pageId = waiting.shift(); pageId !== undefined && refusal === null; pageId = waiting.shift()) {
      const refreshed = await refreshPage(deps, scope, pageId)
      if (
        !refreshed.ok
        && refreshed.error.code !== 'LEAD_PAGE_REJECTED'
        && refreshed.error.code !== 'LEAD_PAGE_NOT_FOUND'
      )
        refusal ??= refreshed.error
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return refusal ? fail(refusal) : succeed(await deps.leadPages.list(scope))
}

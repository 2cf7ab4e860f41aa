import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { pageWebhookUrlOf } from '../../domain/lead-page.ts'
import type { LeadPage } from '../../domain/lead.ts'
import type { LeadPageScope } from '../../ports/stores/lead-page-store.ts'
import { findLinked, findPage, NO_SUCH_PAGE } from './find-page.ts'
import { pagePort } from './page-port.ts'
import type { LoadedPage } from './page-port.ts'
import { askPage, outcomeOf } from './page-upstream.ts'
import type { LeadPorts } from './ports.ts'

/** Our choice: Pages of a list that upstream is asked about at once. */
const AT_ONCE = 4

/**
 * Asks upstream for the Page's name, whether its token is good, and where its app's webhook leads; changes nothing
 * there. A dead token is no refusal, because the answer shows it. Refusals: LEAD_PAGE_NOT_FOUND, LEAD_PAGE_REJECTED,
 * OFFICIAL_ERROR, OFFICIAL_THROTTLED.
 */
export async function refreshPage(ports: LeadPorts, scope: LeadPageScope, pageId: string): Promise<Outcome<LeadPage>> {
  const linked = await findLinked(ports, scope, pageId)
  return linked.ok ? refresh(ports, scope, linked.value) : linked
}

async function refresh(ports: LeadPorts, scope: LeadPageScope, linked: LoadedPage): Promise<Outcome<LeadPage>> {
  const {
    page: { pageId, appId, isTokenValid },
    secrets,
  } = linked
  const read = await askPage(ports, linked, (port) => port.read())
  if (read.kind === 'token-dead') return findPage(ports, scope, pageId)
  const named = outcomeOf(read)
  if (!named.ok) return named
  if (!isTokenValid) {
    await ports.leadPages.tokenLives(pageId, secrets.tokenVersion)
    ports.leadsDue()
  }
  // Asked with the app's credentials: a refusal here says nothing of the Page's token.
  const webhook = outcomeOf(await pagePort(ports.pageOf, linked).appWebhook(pageWebhookUrlOf(ports.baseUrl, appId)))
  if (!webhook.ok && webhook.error.code !== 'LEAD_PAGE_REJECTED') return webhook
  const patched = await ports.leadPages.patch(scope, pageId, {
    pageName: named.value.pageName,
    ...(webhook.ok ? { webhookStatus: webhook.value } : {}),
  })
  return patched === null || patched === 'gone' ? fail(NO_SUCH_PAGE) : succeed(patched)
}

/**
 * Refreshes every Page of the scope. One that upstream refuses, or that was removed meanwhile, stays as it is.
 * Refusals: the first OFFICIAL_ERROR or OFFICIAL_THROTTLED, after which no more is asked.
 */
export async function refreshPages(ports: LeadPorts, scope: LeadPageScope): Promise<Outcome<readonly LeadPage[]>> {
  const waiting = (await ports.leadPages.list(scope)).map(({ pageId }) => pageId)
  let refusal: Refusal | null = null
  const lane = async (): Promise<void> => {
    for (let pageId = waiting.shift(); pageId !== undefined && refusal === null; pageId = waiting.shift()) {
      const refreshed = await refreshPage(ports, scope, pageId)
      if (
        !refreshed.ok
        && refreshed.error.code !== 'LEAD_PAGE_REJECTED'
        && refreshed.error.code !== 'LEAD_PAGE_NOT_FOUND'
      )
        refusal ??= refreshed.error
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return refusal ? fail(refusal) : succeed(await ports.leadPages.list(scope))
}

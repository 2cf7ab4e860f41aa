import type { PageCredentials, PageOf, PagePort } from '../../ports/official/pages.ts'
import type { LeadPageStore } from '../../ports/stores/lead-page-store.ts'

/** A Page with the secrets that upstream is asked with. */
export type LoadedPage = NonNullable<Awaited<ReturnType<LeadPageStore['load']>>>

/** The credentials that upstream is asked with for a Page now. */
export function credentialsOf({
  page: { pageId, appId },
  secrets: { accessToken, appSecret },
}: LoadedPage): PageCredentials {
  return { pageId, accessToken, appId, appSecret }
}

/** The port of a Page upstream, with the token it has now. */
export function pagePort(pageOf: PageOf, loaded: LoadedPage): PagePort {
  return pageOf(credentialsOf(loaded))
}

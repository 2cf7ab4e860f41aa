import type { PageOf, PagePort } from '../../ports/official/pages.ts'
import type { LeadPageStore } from '../../ports/stores/lead-page-store.ts'

export type LoadedPage = NonNullable<Awaited<ReturnType<LeadPageStore['load']>>>

/** A Page upstream, asked with the token it has now. */
export function pagePort(pageOf: PageOf, { page: { pageId, appId }, secrets: { accessToken, appSecret } }: LoadedPage): PagePort {
  return pageOf({ pageId, accessToken, appId, appSecret })
}

import type { words as english } from '../../../words/dashboard/lead-page/en.ts'
import type { Like } from '../../../words/language.ts'
import type { LinkedPage } from '../lead-pages/linked-page.ts'

export type LeadPageWords = Like<typeof english>

/** What the parts of a Page's page get. */
export interface LeadPageProps {
  readonly words: LeadPageWords
  readonly page: LinkedPage
}

/** The route of a Page. */
export function routeOf(pageId: string): string {
  return `/api/v1/lead-pages/${encodeURIComponent(pageId)}`
}

import type { Client } from '../request/route.ts'

/** [branding.query.7]: languages of the pages, the default first. */
const LANGUAGES = ['en', 'pt', 'es'] as const

/**
 * The language of a page: the one that its query names, else the one that the browser prefers, else English. Any other
 * value of the query is ignored.
 */
export function languageFor(
  wanted: unknown,
  { preferredLanguage }: Pick<Client, 'preferredLanguage'>,
): (typeof LANGUAGES)[number] {
  return (
    LANGUAGES.find((language) => language === wanted)
    ?? LANGUAGES.find((language) => language === preferredLanguage(LANGUAGES))
    ?? LANGUAGES[0]
  )
}

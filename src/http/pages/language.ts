import type { Client } from '../request/route.ts'

/** contract 16: languages of the pages, the first where none is wanted. */
const LANGUAGES = ['en', 'pt', 'es'] as const

/**
 * The language of a page: what its query wants (whatever else stands there is none), else what the browser would rather
 * have.
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

import { languageOf } from '../words/language.ts'
import type { Language } from '../words/language.ts'

/** What the address of the page asks for. */
export type PageRequest = { readonly language: Language | null }
  /** `next` is the page to go on to, as the address says, not to be trusted; null when it says none. */
  & (
    | { readonly page: 'login'; readonly loginToken: string | null; readonly next: string | null }
    | { readonly page: 'invite'; readonly invitation: string | null }
    | { readonly page: 'consent'; readonly interactionId: string }
  )

/**
 * Reads an address. Secrets are in the fragment only, which browsers do not send ([people.users.10]
 * [sessions.login-links.1]).
 */
export function requestOf({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): PageRequest {
  const query = new URLSearchParams(search)
  const language = languageOf(query.get('lang'))
  const secret = hash.slice(1) === '' ? null : hash.slice(1)
  const consent = /\/consent\/([^/]+)$/.exec(pathname)
  if (consent?.[1] !== undefined) return { language, page: 'consent', interactionId: consent[1] }
  return pathname.endsWith('/invite')
    ? { language, page: 'invite', invitation: secret }
    : { language, page: 'login', loginToken: secret, next: query.get('next') }
}

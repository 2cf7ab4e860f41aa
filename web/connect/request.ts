/** What the address of a connect page asks for ([pages.addresses.1] to [pages.addresses.3]). Pure. */
import { languageOf } from '../words/language.ts'
import type { Language } from '../words/language.ts'
import type { Method } from './page-state.ts'

/** [branding.query.6]: all else in it is left out. */
const COSMETIC = ['logo', 'support', 'title', 'subtitle', 'primary', 'bg', 'hideBranding']

export interface PageRequest {
  /**
   * A link's token as it stands in the path; a frame, which is handed the token; or the editor of a brand, which says
   * what to draw.
   */
  readonly source:
    | { readonly kind: 'link'; readonly token: string }
    | { readonly kind: 'frame' }
    | { readonly kind: 'preview' }
  /** The QR link and the credentials link. */
  readonly opensAt: Method | null
  readonly mode: 'page' | 'button' | null
  /** Null where the address does not say one that pages speak. */
  readonly language: Language | null
  /** Of the address's query what changes the look, as it came; empty where there is nothing. */
  readonly cosmetic: URLSearchParams
}

export function requestOf(pathname: string, search: string): PageRequest {
  const query = new URLSearchParams(search)
  const [, token = null, method = null] = /\/connect(?:\/([^/]+)(?:\/(qr|code))?)?\/?$/.exec(pathname) ?? []
  const mode = query.get('mode')
  return {
    source: token === null ? { kind: 'frame' } : token === 'preview' ? { kind: 'preview' } : { kind: 'link', token },
    opensAt: method as Method | null,
    mode: method !== null ? 'page' : mode === 'page' || mode === 'button' ? mode : null,
    language: languageOf(query.get('lang')),
    cosmetic: new URLSearchParams([...query].filter(([name]) => COSMETIC.includes(name))),
  }
}

/**
 * The query of the page behind a button: what changes the look, and the language. Empty where there is nothing to say.
 */
export function queryOnward({ cosmetic, language }: PageRequest): string {
  const query = new URLSearchParams(cosmetic)
  if (language !== null) query.set('lang', language)
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** The query for how the page looks; a page in a frame says so. */
export function lookQuery({ cosmetic }: PageRequest, isFramed: boolean): string {
  const query = new URLSearchParams(cosmetic)
  if (isFramed) query.set('embed', '1')
  return query.size === 0 ? '' : `?${query.toString()}`
}

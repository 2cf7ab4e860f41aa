/** What the address of a connect page asks for ([pages.addresses.1] to [pages.addresses.3]). Pure. */
import { languageOf } from '../words/language.ts'
import type { Language } from '../words/language.ts'
import type { Method } from './page-state.ts'

/** [branding.query.6]: the query parameters that change the look; all others are left out. */
const COSMETIC = ['logo', 'support', 'title', 'subtitle', 'primary', 'bg', 'hideBranding']

export interface PageRequest {
  /**
   * Where the page comes from: a link with its token in the path, a frame that is handed a token, or the editor of
   * brands, which says what to draw.
   */
  readonly source:
    | { readonly kind: 'link'; readonly token: string }
    | { readonly kind: 'frame' }
    | { readonly kind: 'preview' }
  /** The method that the address opens with: the QR link or the credentials link; null when it names neither. */
  readonly opensAt: Method | null
  readonly mode: 'page' | 'button' | null
  /** Null when the address names no language that the pages speak. */
  readonly language: Language | null
  /** The cosmetic query parameters of the address, unchanged; empty when there are none. */
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

/** The query for the page behind the button: the look and the language. Empty when there is neither. */
export function queryOnward({ cosmetic, language }: PageRequest): string {
  const query = new URLSearchParams(cosmetic)
  if (language !== null) query.set('lang', language)
  return query.size === 0 ? '' : `?${query.toString()}`
}

/**
 * The credentials link of the page ([pages.addresses.3]): a phone cannot scan its own screen. The token is in the
 * address already.
 */
export function phoneUrl(request: PageRequest, origin: string): string {
  const { source } = request
  return `${origin}/connect/${source.kind === 'link' ? source.token : ''}/code${queryOnward(request)}`
}

/** The query that asks the service for the look; a page in a frame says that it is in one. */
export function lookQuery({ cosmetic }: PageRequest, isFramed: boolean): string {
  const query = new URLSearchParams(cosmetic)
  if (isFramed) query.set('embed', '1')
  return query.size === 0 ? '' : `?${query.toString()}`
}

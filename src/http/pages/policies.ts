/**
 * The columns of the header table (docs/contract/pages.md): `link` is the connect page, `frame` the documents of
 * embeds, `dashboard` the dashboard and its login.
 */
export type PageKind = 'link' | 'frame' | 'dashboard'

export interface Framing {
  /** F of [pages.headers.2]: origins whose pages may frame it; empty when nobody may. */
  readonly framers: readonly string[]
  /** Public base URL of the service, which serves logos. */
  readonly baseUrl: string
  /** Origins beside its own that the page may connect to. */
  readonly connects?: readonly string[]
  /** Origins beside its own whose sound and film it plays. */
  readonly plays?: readonly string[]
  /** Origins, beside the page's own, whose pages it frames; absent when it frames none at all. */
  readonly frames?: readonly string[]
}

const OF_KIND: Readonly<Record<PageKind, Readonly<Record<string, string>>>> = {
  link: {
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'microphone=(), camera=(), geolocation=()',
  },
  dashboard: {
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  },
  frame: {
    'cross-origin-embedder-policy': 'credentialless',
    'cross-origin-resource-policy': 'cross-origin',
    'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  },
}

/** The headers of a page's document in addition to those of every answer; null removes one of those. */
export function pageHeaders(kind: PageKind, framing: Framing): Readonly<Record<string, string | null>> {
  return {
    'content-security-policy': policyOf(kind, framing),
    'x-frame-options': framing.framers.length === 0 ? 'DENY' : null,
    'x-robots-tag': 'noindex',
    ...OF_KIND[kind],
  }
}

/**
 * The policy of a page: no inline script or style, and nothing from other hosts but a brand's logo ([pages.headers.1],
 * [pages.headers.7]).
 */
function policyOf(kind: PageKind, { framers, baseUrl, connects = [], plays = [], frames }: Framing): string {
  const hasMedia = kind !== 'link'
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' https: data: ${hasMedia ? 'blob: ' : ''}${new URL(baseUrl).origin}`,
    ["connect-src 'self'", ...connects].join(' '),
    "font-src 'self'",
    ...(hasMedia ? [["media-src 'self' blob:", ...plays].join(' ')] : []),
    ...(frames === undefined ? [] : [["frame-src 'self'", ...frames].join(' ')]),
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${framers.length === 0 ? "'none'" : framers.join(' ')}`,
  ].join('; ')
}

/**
 * Pages of links stand by themselves; frames are the documents of embeds; the dashboard's are nobody's but ours
 * (contract 16, the header table).
 */
export type PageKind = 'link' | 'frame' | 'dashboard'

export interface Framing {
  /** F: origins whose pages may frame it; none: nobody. */
  readonly framers: readonly string[]
  /** Public base of the service, which serves logos. */
  readonly baseUrl: string
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

/** The headers of a page's document beside those of every answer; null takes one of those away. */
export function pageHeaders(kind: PageKind, framing: Framing): Readonly<Record<string, string | null>> {
  return {
    'content-security-policy': policyOf(kind, framing),
    'x-frame-options': framing.framers.length === 0 ? 'DENY' : null,
    'x-robots-tag': 'noindex',
    ...OF_KIND[kind],
  }
}

/** No inline script or style, and nothing of another host but a brand's logo. */
function policyOf(kind: PageKind, { framers, baseUrl }: Framing): string {
  const hasMedia = kind !== 'link'
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' https: data: ${hasMedia ? 'blob: ' : ''}${new URL(baseUrl).origin}`,
    "connect-src 'self'",
    "font-src 'self'",
    ...(hasMedia ? ["media-src 'self' blob:"] : []),
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${framers.length === 0 ? "'none'" : framers.join(' ')}`,
  ].join('; ')
}

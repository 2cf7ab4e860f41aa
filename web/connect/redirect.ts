/** The address that a person goes to after pairing ([pages.redirect.2]). Pure. */

/** The outcome of a link, as the redirect address carries it. */
export interface LinkOutcome {
  readonly status: 'connected' | 'expired' | 'revoked'
  readonly numberId: string | null
}

/**
 * The redirect address with the outcome in its query; the rest of it stays unchanged. Null when it is no http or https
 * address.
 */
export function redirectTo(redirectUrl: string, { status, numberId }: LinkOutcome): string | null {
  if (!URL.canParse(redirectUrl)) return null
  const url = new URL(redirectUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const set = numberId === null ? { status } : { status, numberId }
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !(nameOf(pair) in set))
  url.search = [...kept, new URLSearchParams(set).toString()].join('&')
  return url.href
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? ''
}

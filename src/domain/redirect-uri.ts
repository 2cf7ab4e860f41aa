/** Hosts of a client on the person's own machine ([oauth.clients.1]; RFC 8252, 7.3), as a URL parser writes them. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
/** our choice, in characters: more than honest clients register. */
export const REDIRECT_URI_LENGTH = 2_048

/**
 * True when a client may be sent to an address ([oauth.clients.1]): https, http on the person's own machine, or a
 * private scheme with a dot (RFC 8252, 7.1), which `javascript:` and `data:` are not. User info, a fragment, a
 * backslash, blanks and controls are refused: programs read them differently.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > REDIRECT_URI_LENGTH || !/^[\x21-\x7e]+$/.test(text) || /[#\\]/.test(text)) return false
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return hasAuthority(text)
  if (url.protocol === 'http:') return hasAuthority(text) && LOOPBACK_HOSTS.has(url.hostname)
  return /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]*[a-z0-9]:$/.test(url.protocol)
}

/**
 * True when an address that a request names is a registered one: the same text, except for the port on the person's own
 * machine ([oauth.clients.1]).
 */
export function isSameRedirectUri(registered: string, asked: string): boolean {
  return (
    registered === asked
    || (isRedirectUri(asked)
      && withoutLoopbackPort(registered) !== null
      && withoutLoopbackPort(registered) === withoutLoopbackPort(asked))
  )
}

/** True when an address is on the person's own machine, where any program may listen. */
export function isLoopback(uri: string): boolean {
  const url = URL.parse(uri)
  return url?.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname)
}

/** Names where an answer goes, for a person: the host with its port, or the private scheme. */
export function redirectHostOf(uri: string): string {
  const url = URL.parse(uri)
  return url === null ? '' : url.host === '' ? url.protocol.slice(0, -1) : url.host
}

/**
 * True when a host follows the two slashes. The parser accepts `https:host` and `https:///host`; other programs do not.
 */
function hasAuthority(text: string): boolean {
  return /^https?:\/\/[^/]/.test(text)
}

/**
 * Works on the text as written, since parsing would make different addresses equal; null when it is on no loopback
 * host.
 */
function withoutLoopbackPort(uri: string): string | null {
  const parts = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri)
  return parts === null ? null : `${parts[1]}${parts[2]}`
}

/** Hosts of a client on the person's own machine (contract 14; RFC 8252, 7.3), as a URL parser writes them. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
/** our choice, in characters: more than honest clients register. */
export const REDIRECT_URI_LENGTH = 2_048

/**
 * Whether a client may be sent to an address (contract 14): https, http on the person's own machine, or a private
 * scheme with a dot (RFC 8252, 7.1), which `javascript:` and `data:` are not. Without user info, fragment, backslash,
 * blanks and controls: those are read differently by different programs.
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
 * Whether an address that a request names is one that was registered: the same text, but for the port of the person's
 * own machine (contract 14).
 */
export function isSameRedirectUri(registered: string, asked: string): boolean {
  return (
    registered === asked
    || (isRedirectUri(asked)
      && withoutLoopbackPort(registered) !== null
      && withoutLoopbackPort(registered) === withoutLoopbackPort(asked))
  )
}

/** Whether an address is on the person's own machine, where any program may listen. */
export function isLoopback(uri: string): boolean {
  const url = URL.parse(uri)
  return url?.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname)
}

/** What a person is shown of where an answer goes: the host with its port, or the private scheme. */
export function redirectHostOf(uri: string): string {
  const url = URL.parse(uri)
  return url === null ? '' : url.host === '' ? url.protocol.slice(0, -1) : url.host
}

/** The parser forgives `https:host` and `https:///host`, which other programs do not. */
function hasAuthority(text: string): boolean {
  return /^https?:\/\/[^/]/.test(text)
}

/** As it is written, so that nothing else becomes alike by being parsed; null where it is on no loopback host. */
function withoutLoopbackPort(uri: string): string | null {
  const parts = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri)
  return parts === null ? null : `${parts[1]}${parts[2]}`
}

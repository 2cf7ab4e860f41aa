import { bareHost, isAddress } from './address-guard.ts'
import type { AddressGuard } from './address-guard.ts'
import type { FetchFailure } from './fetch-failure.ts'

/** A URL that passed all checks which need no look-up. */
export interface CheckedUrl {
  readonly url: URL
  /** The name or address, without brackets. */
  readonly host: string
  /** True when the host is an address: it was checked already, and no look-up will happen for it. */
  readonly isLiteral: boolean
}

export type UrlCheck =
  | { readonly ok: true; readonly value: CheckedUrl }
  | { readonly ok: false; readonly failure: FetchFailure }

/** Our choice: longer than any address a browser makes, short enough for a log or a database row. */
const MAX_URL_CHARACTERS = 2_048

/**
 * Ports of other protocols that an HTTP request can make act (Fetch standard, "bad port"), and those of common
 * databases (our choice), where nobody serves media or webhooks. Ports 1 and 9 of that list are left out: whatever
 * listens there acts on nothing, and an address with a closed port is unreachable, not forbidden ([calls.play.7],
 * [calls.play.8]).
 */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  0, 7, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111,
  113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540,
  548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000,
  6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 1433, 3306, 5432, 6379, 11211, 27017,
])

/**
 * Checks the text of an address given by a caller. The WHATWG parser turns `2130706433`, `0x7f.1`, octal, full-width
 * and circled digits into dotted IPv4, so they meet the same check as `127.0.0.1`. Literals are checked here because
 * sockets do not look them up (measured with undici).
 */
export function checkUrl(text: string, guard: AddressGuard): UrlCheck {
  if (text.length > MAX_URL_CHARACTERS)
    return refuse('invalid-url', `The address is longer than ${MAX_URL_CHARACTERS} characters.`)
  if (!URL.canParse(text)) return refuse('invalid-url', 'Give a complete http or https address.')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse('invalid-url', 'Give an http or https address.')
  const host = bareHost(url)
  if (host === '') return refuse('invalid-url', 'The address names no host.')
  const isLiteral = isAddress(host)
  if (isLiteral && !guard.isAllowed(host, host))
    return refuse('forbidden', 'The address is not a public one. Use a host that is reachable from the Internet.')
  if (url.username !== '' || url.password !== '')
    return refuse('forbidden', 'The address must not contain a user name or password.')
  if (url.port !== '' && REFUSED_PORTS.has(Number(url.port)))
    return refuse('forbidden', 'The port belongs to another protocol. Use the port of a web server.')
  url.hash = ''
  return { ok: true, value: { url, host, isLiteral } }
}

function refuse(kind: FetchFailure['kind'], message: string): UrlCheck {
  return { ok: false, failure: { kind, message } }
}

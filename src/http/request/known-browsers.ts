import { createHmac, randomBytes } from 'node:crypto'
import { emailKeyOf } from '../../domain/user.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Client } from './route.ts'
import { isSameText } from './same-text.ts'

/** our choice, in ms: after 90 days without a login a browser is no longer known. */
const KNOWN_MS = 90 * 24 * 3_600_000
const NAME_BYTES = 16

/**
 * Browsers that signed in to an account with its password before. Tries from such a browser have a count and a queue of
 * their own, so that strangers who try the account, or who share its address, do not lock its person out. A known
 * browser opens nothing by itself.
 */
export interface KnownBrowsers {
  /** The name of the browser with these cookies, null when it is not known for the account of this e-mail address. */
  nameOf(cookie: Client['cookie'], email: string): string | null
  /** The header `set-cookie` that makes a browser known for an account from now on. */
  keep(email: string): string
}

/**
 * Makes and reads the cookie: a name, its end, and a proof over both and the account, which the cookie does not name.
 * `secret` is the same on all nodes.
 */
export function createKnownBrowsers({
  baseUrl,
  secret,
  clock,
}: {
  readonly baseUrl: string
  readonly secret: string
  readonly clock: Pick<Clock, 'now'>
}): KnownBrowsers {
  const isSecure = new URL(baseUrl).protocol === 'https:'
  const cookieName = isSecure ? '__Host-cms_browser' : 'cms_browser'
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${KNOWN_MS / 1_000}${isSecure ? '; Secure' : ''}`
  const key = createHmac('sha256', secret).update('known browsers').digest()
  const proofOf = (name: string, untilMs: string, email: string): string =>
    createHmac('sha256', key)
      .update([name, untilMs, emailKeyOf(email)].join('\n'))
      .digest('base64url')
  return {
    nameOf(cookie, email) {
      const [, name = '', untilMs = '', proof = ''] =
        /^([\w-]{22})\.(\d{13})\.([\w-]{43})$/.exec(cookie(cookieName) ?? '') ?? []
      return name !== '' && Number(untilMs) > clock.now() && isSameText(proof, proofOf(name, untilMs, email))
        ? name
        : null
    },
    keep(email) {
      const [name, untilMs] = [randomBytes(NAME_BYTES).toString('base64url'), String(clock.now() + KNOWN_MS)]
      return `${cookieName}=${name}.${untilMs}.${proofOf(name, untilMs, email)}; ${attributes}`
    },
  }
}

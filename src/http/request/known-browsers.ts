import { createHmac, randomBytes } from 'node:crypto'
import { emailKeyOf } from '../../domain/user.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Client } from './route.ts'
import { isSameText } from './same-text.ts'

/** Our choice: a browser that nobody signed in with for so long is as good as another. */
const KNOWN_MS = 90 * 24 * 3_600_000
const NAME_BYTES = 16

/**
 * Browsers that signed in to an account with its password before. Such a one tries passwords by a count and a queue of
 * its own, so that strangers who try the account, or who share its address, keep nobody out. It opens nothing.
 */
export interface KnownBrowsers {
  /**
   * The name of the browser whose cookies these are, where it is known for the account of an e-mail address; else null.
   */
  nameOf(cookie: Client['cookie'], email: string): string | null
  /** The header `set-cookie` that has a browser be known for an account from now on. */
  keep(email: string): string
}

/**
 * Makes and reads the cookie: a name, when it ends, and a proof over both and the account, which it does not name.
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

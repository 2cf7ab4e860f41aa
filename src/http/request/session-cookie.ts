import { isSessionSecret } from '../../domain/web-session.ts'
import { cookieOf } from './cookie.ts'

/** The cookie of a session of the dashboard (contract 19). */
export interface SessionCookie {
  readonly name: string
  /** The secret in the header `cookie`; null where there is none, more than one, or one of another form. */
  read(header: string | undefined): string | null
  /** The header `set-cookie` that has a browser keep the secret until it is closed. */
  keep(secret: string): string
  /** The header `set-cookie` that has a browser forget it. */
  readonly forget: string
}

/**
 * The cookie as the public base of the service has it: on https no other host and no plain connection can set one of
 * its name.
 */
export function sessionCookieOf(baseUrl: string): SessionCookie {
  const isSecure = new URL(baseUrl).protocol === 'https:'
  const name = isSecure ? '__Host-cms_session' : 'cms_session'
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    name,
    read(header) {
      const secret = cookieOf(header, name)
      return secret !== null && isSessionSecret(secret) ? secret : null
    },
    keep: (secret) => `${name}=${secret}; ${attributes}`,
    forget: `${name}=; ${attributes}; Max-Age=0`,
  }
}

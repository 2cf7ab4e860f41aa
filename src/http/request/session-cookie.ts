import { isSessionSecret } from '../../domain/web-session.ts'
import { cookieOf } from './cookie.ts'

/** The cookie of a session of the dashboard ([sessions.cookie.1], [sessions.cookie.2]). */
export interface SessionCookie {
  readonly name: string
  /** The secret in the header `cookie`; null when there is none, more than one, or one of another form. */
  read(header: string | undefined): string | null
  /** The header `set-cookie` that makes a browser keep the secret until it is closed. */
  keep(secret: string): string
  /** The header `set-cookie` that makes a browser forget it. */
  readonly forget: string
}

/** The cookie for a public base URL. On https its name keeps other hosts and plain connections from setting it. */
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

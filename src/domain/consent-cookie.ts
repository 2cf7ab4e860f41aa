import { INTERACTION_MS } from './oauth.ts'

/**
 * The cookie that binds what a client asks for to the browser it was asked in: sent with questions about that one
 * alone.
 */
export const CONSENT_COOKIE = 'cms_consent'

/** The header `set-cookie` for what is asked under this id. */
export function browserCookie(baseUrl: string, id: string, secret: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${CONSENT_COOKIE}=${secret}; Path=/api/oauth/interactions/${id}; HttpOnly; SameSite=Lax; Max-Age=${INTERACTION_MS / 1_000}${secure}`
}

/** Whether a text has the form of an id of what is asked, or of a cookie's secret: 43 characters of base64url. */
export function isInteractionSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

import { INTERACTION_MS } from './oauth.ts'

/**
 * The cookie that binds a client's request for consent to the browser that it came from. Its path has the browser send
 * it with questions about that one request alone.
 */
export const CONSENT_COOKIE = 'cms_consent'

/** Makes the header `set-cookie` for the request for consent of this id. */
export function browserCookie(baseUrl: string, id: string, secret: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${CONSENT_COOKIE}=${secret}; Path=/api/oauth/interactions/${id}; HttpOnly; SameSite=Lax; Max-Age=${INTERACTION_MS / 1_000}${secure}`
}

/** True when a text has the form of a consent request's id, or of a cookie's secret: 43 characters of base64url. */
export function isInteractionSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

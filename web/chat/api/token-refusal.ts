import type { TokenRefusal } from '../../ui/frame/host.ts'
import { EMBED_API } from './client.ts'

/**
 * Asks the service why the inbox must not take another token: the token is over, it is of another surface, or its
 * session does not allow the host's origin.
 */
export const tokenRefusal: TokenRefusal = async (token, hostOrigin) => {
  try {
    const response = await fetch(`${EMBED_API}/session`, {
      headers: { authorization: `Bearer ${token}` },
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
    const answer = (await response.json()) as {
      error?: string
      code?: string
      surface?: string
      allowedOrigins?: readonly string[]
    }
    if (!response.ok)
      return response.status >= 500
        ? LOST
        : { code: answer.code ?? 'TOKEN_INVALID', message: answer.error ?? 'The token opens nothing' }
    if (answer.surface !== 'chat')
      return { code: 'SURFACE_NOT_ALLOWED', message: 'The token is of another surface than chat' }
    if (!answer.allowedOrigins?.includes(hostOrigin))
      return { code: 'ORIGIN_NOT_ALLOWED', message: `The session of the token does not allow ${hostOrigin}` }
    return null
  } catch {
    return LOST
  }
}

const LOST = { code: 'NETWORK', message: 'The service could not be asked about the new token' }

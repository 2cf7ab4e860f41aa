import { handleOf } from '../../protocol/tokens.ts'
import type { TokenRefusal } from './host.ts'

interface Diagnosis {
  readonly ok: boolean
  readonly reason: string | null
  readonly hint: string
}

/** The refusal of the service for a link that cannot pair. */
interface PairingRefusal {
  readonly details?: { readonly reason?: string }
}

/**
 * Asks the service why a connect page in a frame must not take another link's token: no live session lets this host
 * frame it, the token is unknown, or the service did not answer (NETWORK: the earlier link stays).
 */
export const linkRefusal: TokenRefusal = async (token, hostOrigin) => {
  try {
    const { ok, reason, hint } = await diagnose(token, hostOrigin)
    if (ok) return null
    if (reason === 'SESSION_NOT_LIVE' && (await isUnknown(token)))
      return { code: 'TOKEN_INVALID', message: 'The service knows no link of this token' }
    return { code: reason ?? 'NETWORK', message: hint }
  } catch {
    return { code: 'NETWORK', message: 'The service could not be asked about the new token' }
  }
}

async function diagnose(token: string, origin: string): Promise<Diagnosis> {
  const query = new URLSearchParams({ h: await handleOf(token), origin })
  const response = await fetch(`/api/public/embed/diagnose?${query.toString()}`)
  if (!response.ok) throw new Error(`diagnose answered ${response.status}`)
  return (await response.json()) as Diagnosis
}

async function isUnknown(token: string): Promise<boolean> {
  const response = await fetch('/v1/remote-pairing/self', { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 404) return false
  const { details } = (await response.json()) as PairingRefusal
  return details?.reason === 'UNKNOWN'
}

import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'
import { isLoopback } from './loopback.ts'

/** What must not be read on its way ([sessions.https.1]). */
type Carried = 'passwords and invitations' | 'OAuth'

/**
 * Refuses what carries passwords, invitations or tokens when the public base is http on a host that others reach, since
 * it could be read on the way ([sessions.https.1]). Null when it may come.
 */
export function httpsRefusal(baseUrl: string, carried: Carried): Refusal | null {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'https:' || isLoopback(hostname)) return null
  return refuse(
    'HTTPS_REQUIRED',
    `BASE_URL of this service is http on a host that is not this machine: ${carried} over https alone`,
  )
}

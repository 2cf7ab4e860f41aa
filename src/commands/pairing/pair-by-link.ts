import { fail } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { PAIRING_CODE_WAIT_MS } from '../../domain/limits.ts'
import { ALREADY_CONNECTED } from '../../domain/pairing.ts'
import type { PairingCode } from '../../domain/pairing.ts'
import { followLink, linkOver } from './follow-link.ts'
import type { PairingPorts } from './ports.ts'

/**
 * Starts pairing by a connect link ([pairing.routes.2]). `isTyped`: the holder wants a code to type. Refusals:
 * PAIRING_NOT_FOUND, ALREADY_CONNECTED, and those of `askPair`.
 */
export async function pairByLink(ports: PairingPorts, token: string, isTyped: boolean): Promise<Outcome<PairingCode>> {
  const followed = await followLink(ports, token, ({ over }) => over === 'USED')
  if (!followed.ok) return followed
  const { link, number } = followed.value
  if (link.over !== null)
    return fail(number.state === 'OPEN' ? ALREADY_CONNECTED : await linkOver(ports, followed.value, link.over))
  return ports.askPair(number.id, { waitMs: PAIRING_CODE_WAIT_MS, isTyped })
}

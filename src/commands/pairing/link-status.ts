import { succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import { NO_CODE } from '../../domain/pairing.ts'
import type { PairingCode, PairingReason } from '../../domain/pairing.ts'
import { followLink } from './follow-link.ts'
import type { PairingPorts } from './ports.ts'

export interface LinkStatus {
  readonly number: ChannelNumber
  readonly code: PairingCode
  /** What keeps the number from pairing; null also for a link that is over. */
  readonly reason: PairingReason | null
}

/**
 * The number of a connect link, its present code, and what keeps it from pairing ([pairing.routes.3]). A used link is
 * answered, too, until its 24 hours are over. Refusal: PAIRING_NOT_FOUND.
 */
export async function linkStatus(ports: PairingPorts, token: string): Promise<Outcome<LinkStatus>> {
  const followed = await followLink(
    ports,
    token,
    ({ over, expiresAt }) => over === 'USED' && expiresAt.getTime() > ports.clock.now(),
  )
  if (!followed.ok) return followed
  const { link, number } = followed.value
  if (link.over !== null) return succeed({ number, code: NO_CODE, reason: null })
  return succeed({ number, code: await shownCode(ports, number), reason: number.pairingReason })
}

/** The present code. A closed or open number shows none, and asking would only wake its actor. */
async function shownCode({ askCurrentCode }: PairingPorts, { id, state }: ChannelNumber): Promise<PairingCode> {
  if (state !== 'CONNECTING') return NO_CODE
  const outcome = await askCurrentCode(id)
  return outcome.ok ? outcome.value : NO_CODE
}

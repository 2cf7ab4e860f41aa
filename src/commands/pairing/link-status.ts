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
  /** What is in the way; null for whoever holds a link that is over. */
  readonly reason: PairingReason | null
}

/**
 * The number of a connect link, the code it shows now, and what is in the way. Of a used link until its 24 h are over.
 * Refusals: PAIRING_NOT_FOUND.
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

/** A closed or open number shows no code; asking would only wake its actor. */
async function shownCode({ askCurrentCode }: PairingPorts, { id, state }: ChannelNumber): Promise<PairingCode> {
  if (state !== 'CONNECTING') return NO_CODE
  const outcome = await askCurrentCode(id)
  return outcome.ok ? outcome.value : NO_CODE
}

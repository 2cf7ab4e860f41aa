import { succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import { NO_CODE } from '../../domain/pairing.ts'
import type { PairingCode } from '../../domain/pairing.ts'
import { followLink } from './follow-link.ts'
import type { FollowDeps } from './follow-link.ts'

export interface LinkStatusDeps extends FollowDeps {
  /** The code shown now, without starting anything. */
  readonly askCurrentCode: (numberId: NumberId) => Promise<Outcome<PairingCode>>
}

/** The number of a connect link, and the code it shows now. Refusals: PAIRING_NOT_FOUND. */
export async function linkStatus(deps: LinkStatusDeps, token: string): Promise<Outcome<{ readonly number: ChannelNumber, readonly code: PairingCode }>> {
  const followed = await followLink(deps, token)
  if (!followed.ok) return followed
  const { link, number } = followed.value
  return succeed({ number, code: link.isUsed ? NO_CODE : await shownCode(deps, number) })
}

/** A closed or open number shows no code; asking would only wake its actor. */
async function shownCode({ askCurrentCode }: LinkStatusDeps, { id, state }: ChannelNumber): Promise<PairingCode> {
  if (state !== 'CONNECTING') return NO_CODE
  const outcome = await askCurrentCode(id)
  return outcome.ok ? outcome.value : NO_CODE
}

import { fail } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import { PAIRING_CODE_WAIT_MS } from '../../domain/limits.ts'
import { ALREADY_CONNECTED } from '../../domain/pairing.ts'
import type { PairingCode } from '../../domain/pairing.ts'
import { followLink, LINK_GONE } from './follow-link.ts'
import type { FollowDeps } from './follow-link.ts'

export interface PairByLinkDeps extends FollowDeps {
  /** Starts pairing, or answers the code shown now. Waits up to `waitMs` for the first. */
  readonly askPair: (numberId: NumberId, waitMs: number) => Promise<Outcome<PairingCode>>
}

/** Starts pairing by a connect link. Refusals: PAIRING_NOT_FOUND, ALREADY_CONNECTED, and those of `askPair`. */
export async function pairByLink(deps: PairByLinkDeps, token: string): Promise<Outcome<PairingCode>> {
  const followed = await followLink(deps, token)
  if (!followed.ok) return followed
  const { link, number } = followed.value
  if (link.isUsed) return fail(number.state === 'OPEN' ? ALREADY_CONNECTED : LINK_GONE)
  return deps.askPair(number.id, PAIRING_CODE_WAIT_MS)
}

import { fail } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import { PAIRING_CODE_WAIT_MS } from '../../domain/limits.ts'
import { ALREADY_CONNECTED } from '../../domain/pairing.ts'
import type { PairingCode } from '../../domain/pairing.ts'
import { followLink, linkOver } from './follow-link.ts'
import type { FollowDeps } from './follow-link.ts'

export interface PairByLinkDeps extends FollowDeps {
  /**
   * Starts pairing, or answers the code shown now. Waits up to `waitMs` for the first; `isTyped`: one to type is wanted
   * too.
   */
  readonly askPair: (numberId: NumberId, waitMs: number, isTyped: boolean) => Promise<Outcome<PairingCode>>
}

/**
 * Starts pairing by a connect link; `isTyped`: whoever holds it wants a code to type. Refusals: PAIRING_NOT_FOUND,
 * ALREADY_CONNECTED, and those of `askPair`.
 */
export async function pairByLink(deps: PairByLinkDeps, token: string, isTyped = false): Promise<Outcome<PairingCode>> {
  const followed = await followLink(deps, token, ({ over }) => over === 'USED')
  if (!followed.ok) return followed
  const { link, number } = followed.value
  if (link.over !== null)
    return fail(number.state === 'OPEN' ? ALREADY_CONNECTED : await linkOver(deps, followed.value, link.over))
  return deps.askPair(number.id, PAIRING_CODE_WAIT_MS, isTyped)
}

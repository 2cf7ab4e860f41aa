import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { FoundLink, PairingStore } from '../../ports/stores/pairing-store.ts'

export interface FollowDeps {
  readonly pairing: Pick<PairingStore, 'find'>
  readonly numbers: Pick<NumberStore, 'find'>
}

export interface Followed {
  readonly link: FoundLink
  readonly number: ChannelNumber
}

export const LINK_GONE: Refusal = refuse('PAIRING_NOT_FOUND', 'This connect link is unknown, used or expired')

/** A link that is not over, used or not, and its number. */
export async function followLink({ pairing, numbers }: FollowDeps, token: string): Promise<Outcome<Followed>> {
  const link = /^rp_[0-9a-z]{26}$/.test(token) ? await pairing.find(token) : null
  const number = link && await numbers.find(link.tenantId, link.numberId)
  return number ? succeed({ link, number }) : fail(LINK_GONE)
}

/** A link that can still pair: it dies on success (contract 3). */
export async function followLiveLink(deps: FollowDeps, token: string): Promise<Outcome<Followed>> {
  const followed = await followLink(deps, token)
  return followed.ok && followed.value.link.isUsed ? fail(LINK_GONE) : followed
}

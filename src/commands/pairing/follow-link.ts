import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { LinkOver } from '../../domain/pairing.ts'
import { maskNumber } from '../../domain/phone.ts'
import type { FoundLink } from '../../ports/stores/pairing-store.ts'
import { brandOf } from '../pages/brand-of-link.ts'
import type { PairingPorts } from './ports.ts'

export interface Followed {
  readonly link: FoundLink
  readonly number: ChannelNumber
}

/** The `details` of PAIRING_NOT_FOUND [pairing.routes.5]. */
export interface LinkGone {
  readonly reason: LinkOver | 'UNKNOWN'
  readonly redirectUrl: string | null
  readonly numberId: NumberId | null
  /**
   * The name of the number that a used link paired, as its page showed it ([pages.redirect.3]); absent for other links.
   */
  readonly name?: string
  /** The number, masked as [pairing.routes.1] says; absent like `name`. */
  readonly number?: string
}

const WORDS: Readonly<Record<LinkGone['reason'], string>> = {
  EXPIRED: 'This connect link has expired',
  REVOKED: 'This connect link was replaced by a newer one',
  USED: 'This connect link was used: the number was connected with it',
  UNKNOWN: 'This connect link is unknown',
}

function gone(details: LinkGone): Refusal {
  return refuse('PAIRING_NOT_FOUND', WORDS[details.reason], details)
}

const UNKNOWN = gone({ reason: 'UNKNOWN', redirectUrl: null, numberId: null })

/** The refusal of a link that is over: it says where its page may lead, and for a used link what it paired. */
export async function linkOver(ports: PairingPorts, { link, number }: Followed, reason: LinkOver): Promise<Refusal> {
  const redirectUrl = link.redirectUrl ?? (await brandOf(ports, link, {})).branding.defaultRedirectUrl
  if (reason !== 'USED') return gone({ reason, redirectUrl, numberId: null })
  return gone({ reason, redirectUrl, numberId: number.id, name: number.name, number: maskNumber(number.number) })
}

/** Finds a link and its number; a link that is over only when `isTaken` accepts it. Refusal: PAIRING_NOT_FOUND. */
export async function followLink(
  ports: PairingPorts,
  token: string,
  isTaken: (link: FoundLink) => boolean,
): Promise<Outcome<Followed>> {
  const link = /^rp_[0-9a-z]{26}$/.test(token) ? await ports.pairing.find(token) : null
  const number = link && (await ports.numbers.find(link.tenantId, link.numberId))
  if (!link || !number) return fail(UNKNOWN)
  return link.over === null || isTaken(link)
    ? succeed({ link, number })
    : fail(await linkOver(ports, { link, number }, link.over))
}

/** Finds a link that can still pair; it dies on success ([pairing.create.3]). Refusal: PAIRING_NOT_FOUND. */
export function followLiveLink(ports: PairingPorts, token: string): Promise<Outcome<Followed>> {
  return followLink(ports, token, () => false)
}

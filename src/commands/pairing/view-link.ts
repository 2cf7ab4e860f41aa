import type { ResolvedBranding } from '../../domain/branding.ts'
import { succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { brandOf } from '../pages/brand-of-link.ts'
import { followLiveLink } from './follow-link.ts'
import type { Followed } from './follow-link.ts'
import type { PairingPorts } from './ports.ts'

export interface LinkView extends Followed {
  readonly branding: ResolvedBranding
  /**
   * Where the page leads once the number is connected: the link's address, else the brand's; null when neither has one.
   */
  readonly redirectUrl: string | null
}

/**
 * What a connect link that can still pair is for, and how it looks ([pairing.routes.1]). Starts nothing. Refusal:
 * PAIRING_NOT_FOUND.
 */
export async function viewLink(ports: PairingPorts, token: string): Promise<Outcome<LinkView>> {
  const followed = await followLiveLink(ports, token)
  if (!followed.ok) return followed
  const { link, number } = followed.value
  const { branding } = await brandOf(ports, link, {})
  return succeed({ link, number, branding, redirectUrl: link.redirectUrl ?? branding.defaultRedirectUrl })
}

import type { PairingCode } from '../../../domain/pairing.ts'
import type { PairingToken } from '../../../domain/ids.ts'
import type { ChannelNumber } from '../../../domain/number.ts'
import { maskNumber } from '../../../domain/phone.ts'
import type { PairingLink } from '../../../ports/stores/pairing-store.ts'
import { presentCode } from '../numbers/present.ts'

/** What a page shows where neither link nor tenant says otherwise. */
const DEFAULT_BRANDING = {
  logoUrl: null,
  primaryColor: null,
  backgroundColor: null,
  companyName: null,
  subtitle: null,
  supportUrl: null,
  defaultRedirectUrl: null,
  hidePilotStatusBranding: false,
}

/** A new connect link; `connectUrl` is the page, without a trailing slash. */
export function presentLink(number: ChannelNumber, token: PairingToken, connectUrl: string) {
  return {
    provider: number.provider,
    remotePairingToken: token,
    remotePairingUrl: `${connectUrl}/${token}`,
    numberId: number.id,
  }
}

/** A link as its holder may see it: the holder is not the tenant, so the number is masked (contract 3). */
export function presentLinkView(link: PairingLink, number: ChannelNumber) {
  const own = typeof link.branding === 'object' && link.branding !== null ? link.branding : {}
  const branding = { ...DEFAULT_BRANDING, ...own }
  return {
    valid: true,
    name: number.name,
    number: maskNumber(number.number),
    state: number.state,
    branding,
    redirectUrl: link.redirectUrl ?? branding.defaultRedirectUrl,
    expiresAt: link.expiresAt.toISOString(),
  }
}

export function presentLinkStatus(number: ChannelNumber, code: PairingCode) {
  return { state: number.state, isFullyConnected: number.isFullyConnected, ...presentCode(code) }
}

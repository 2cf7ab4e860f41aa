import type { PairingToken } from '../../../domain/ids.ts'
import type { ChannelNumber } from '../../../domain/number.ts'
import { maskNumber } from '../../../domain/phone.ts'
import type { LinkStatus } from '../../../commands/pairing/link-status.ts'
import type { LinkView } from '../../../commands/pairing/view-link.ts'
import { presentCode } from '../numbers/present.ts'

/** A new connect link ([pairing.create.2]); `connectUrl` is the page, without a trailing slash. */
export function presentLink(number: ChannelNumber, token: PairingToken, connectUrl: string) {
  return {
    provider: number.provider,
    remotePairingToken: token,
    remotePairingUrl: `${connectUrl}/${token}`,
    numberId: number.id,
  }
}

/** A link as its holder may see it: the holder is not the tenant, so the number is masked ([pairing.routes.1]). */
export function presentLinkView({ link, number, branding, redirectUrl }: LinkView) {
  return {
    valid: true,
    numberId: number.id,
    name: number.name,
    number: maskNumber(number.number),
    state: number.state,
    branding,
    redirectUrl,
    expiresAt: link.expiresAt.toISOString(),
  }
}

export function presentLinkStatus({ number, code, reason }: LinkStatus) {
  return {
    numberId: number.id,
    state: number.state,
    isFullyConnected: number.isFullyConnected,
    reason,
    ...presentCode(code),
  }
}

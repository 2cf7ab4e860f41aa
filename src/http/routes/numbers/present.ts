import type { NumberLimits } from '../../../commands/numbers/limits.ts'
import type { EngineFacts } from '../../../domain/engine.ts'
import type { PairingCode } from '../../../domain/pairing.ts'
import type { ChannelNumber } from '../../../domain/number.ts'
import { isSendable } from '../../../domain/official.ts'
import type { IssuedKey } from '../../../ports/stores/key-store.ts'
import { qrDataUri } from './qr-png.ts'

/**
 * A number as answered ([numbers.object.1]). `calling`, `official` and the ratings of upstream exist on OFFICIAL
 * numbers alone. A QR-paired number can send exactly while it is connected.
 */
export function presentNumber(number: ChannelNumber) {
  const { official } = number
  const isOpen = number.state === 'OPEN'
  return {
    id: number.id,
    name: number.name,
    number: number.number,
    provider: number.provider,
    state: number.state,
    isFullyConnected: number.isFullyConnected,
    settings: number.settings,
    piiMode: number.piiMode,
    piiRetentionDays: number.piiRetentionDays,
    voice: number.voice ?? null,
    marketing: official ? (number.marketing ?? 'auto') : null,
    calling: official ? { status: official.callingStatus } : null,
    // `hasAccessToken` is always true: an OFFICIAL number is connected with a token, and none is ever removed.
    official: official
      ? { phoneId: official.phoneId, accountId: official.accountId, appId: official.appId, hasAccessToken: true }
      : null,
    engine: number.engine ? presentEngine(number.engine) : null,
    health: {
      qualityRating: official?.qualityRating ?? null,
      messagingLimitTier: official?.messagingLimitTier ?? null,
      officialStatus: official?.officialStatus ?? null,
      sendable: isOpen && (!official || isSendable(official)),
      level: number.sessionHealth?.level ?? null,
      code: number.sessionHealth?.code ?? null,
      text: number.sessionHealth?.text ?? null,
    },
    createdAt: number.createdAt.toISOString(),
    updatedAt: number.updatedAt.toISOString(),
  }
}

/** What an engine said of itself. A capability that it left out counts as there. */
function presentEngine({ name, version, capabilities }: EngineFacts) {
  return { name, version, capabilities }
}

/** The code to pair with, drawn as a QR code ([numbers.routes.5]). */
export function presentCode(code: PairingCode) {
  return {
    qrcodeBase64: code.qr === null ? null : qrDataUri(code.qr),
    pairingCode: code.pairingCode,
    expiresInMs: code.expiresInMs,
  }
}

/** The answer to a creation, the one time that the default key is shown unasked ([numbers.routes.1]). */
export function presentCreated(number: ChannelNumber, key: IssuedKey, code: PairingCode) {
  const { qrcodeBase64, pairingCode } = presentCode(code)
  return { ...presentNumber(number), qrcodeBase64, pairingCode, apiKey: presentKey(key) }
}

/**
 * The answer to the connection of an OFFICIAL number, the one time that the verify token is shown
 * ([official.create.3]).
 */
export function presentCreatedOfficial(number: ChannelNumber, key: IssuedKey, webhookUrl: string, verifyToken: string) {
  return { ...presentNumber(number), apiKey: presentKey(key), webhookUrl, verifyToken }
}

function presentKey(key: IssuedKey) {
  return { keyId: key.id, key: key.raw, keyLast4: key.last4 }
}

/** The limits of a number ([message-verbs.pace.2]). */
export function presentLimits({ resetsAt, ...limits }: NumberLimits) {
  return { ...limits, resetsAt: resetsAt?.toISOString() ?? null }
}

export function presentConnection(number: ChannelNumber) {
  return { state: number.state, isFullyConnected: number.isFullyConnected }
}

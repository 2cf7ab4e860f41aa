import type { PairingCode } from '../../../../actors/number/messages.ts'
import type { ChannelNumber } from '../../../domain/number.ts'
import type { IssuedKey } from '../../../ports/stores/key-store.ts'
import { qrDataUri } from '../../qr-png.ts'

/**
 * A number as answered (contract 3). `calling`, `official` and the upstream ratings exist on
 * OFFICIAL numbers alone; a QR-paired number can send exactly while it is connected.
 */
export function presentNumber(number: ChannelNumber) {
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
    calling: null,
    official: null,
    health: { qualityRating: null, messagingLimitTier: null, officialStatus: null, sendable: number.state === 'OPEN' },
    createdAt: number.createdAt.toISOString(),
    updatedAt: number.updatedAt.toISOString(),
  }
}

/** The code to pair with, drawn. */
export function presentCode(code: PairingCode) {
  return {
    qrcodeBase64: code.qr === null ? null : qrDataUri(code.qr),
    pairingCode: code.pairingCode,
    expiresInMs: code.expiresInMs,
  }
}

/** The answer to a creation: the one time the default key is handed out unasked. */
export function presentCreated(number: ChannelNumber, key: IssuedKey, code: PairingCode) {
  const { qrcodeBase64, pairingCode } = presentCode(code)
  return { ...presentNumber(number), qrcodeBase64, pairingCode, apiKey: { keyId: key.id, key: key.raw, keyLast4: key.last4 } }
}

export function presentConnection(number: ChannelNumber) {
  return { state: number.state, isFullyConnected: number.isFullyConnected }
}

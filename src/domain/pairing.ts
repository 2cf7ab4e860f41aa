import { createHash } from 'node:crypto'
import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'

/** What a shown pairing code looks like to those who ask (the QR as text to draw). */
export interface PairingCode {
  readonly qr: string | null
  readonly pairingCode: string | null
  readonly expiresInMs: number | null
}

/** No code is shown now. */
export const NO_CODE: PairingCode = { qr: null, pairingCode: null, expiresInMs: null }

export const ALREADY_CONNECTED: Refusal = refuse('ALREADY_CONNECTED', 'The number is connected already')

/** Why a link pairs nothing any more (contract 16). */
export const LINK_OVER = ['EXPIRED', 'REVOKED', 'USED'] as const
export type LinkOver = (typeof LINK_OVER)[number]

/** What is in the way of a pairing (contract 16, the status's `reason`). */
export const PAIRING_REASONS = ['QR_EXPIRED', 'PASSKEY_REQUIRED', 'WRONG_NUMBER', 'BANNED'] as const
export type PairingReason = (typeof PAIRING_REASONS)[number]

/** contract 16: how long a link that is over keeps its branding and its reason, in ms. */
export const LINK_KEPT_MS = 30 * 24 * 3_600_000

/** What names a link in the address of an embed without its power: base64url of the token's SHA-256 (contract 16). */
export function linkHandle(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

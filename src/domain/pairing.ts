import { createHash } from 'node:crypto'
import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'

/** A pairing code as it is shown to those who ask (the QR as text to draw). */
export interface PairingCode {
  readonly qr: string | null
  readonly pairingCode: string | null
  readonly expiresInMs: number | null
}

/** The state in which no code is shown. */
export const NO_CODE: PairingCode = { qr: null, pairingCode: null, expiresInMs: null }

export const ALREADY_CONNECTED: Refusal = refuse('ALREADY_CONNECTED', 'The number is connected already')

/** Why a link can no longer pair ([pairing.routes.5]). */
export const LINK_OVER = ['EXPIRED', 'REVOKED', 'USED'] as const
export type LinkOver = (typeof LINK_OVER)[number]

/** What is in the way of a pairing: the status's `reason` ([pairing.routes.7]). */
export const PAIRING_REASONS = ['QR_EXPIRED', 'PASSKEY_REQUIRED', 'WRONG_NUMBER', 'BANNED'] as const
export type PairingReason = (typeof PAIRING_REASONS)[number]

/** How long a link that is over keeps its branding ([branding.precedence.8]) and its reason, in ms. */
export const LINK_KEPT_MS = 30 * 24 * 3_600_000

/**
 * Makes the name of a link in the address of an embed, which grants nothing: base64url of the token's SHA-256
 * ([pages.addresses.4]).
 */
export function linkHandle(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

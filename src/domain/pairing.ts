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

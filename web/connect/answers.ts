/** Answers of the service about a link ([pairing.routes.1] to [pairing.routes.3]), as the page uses them. */

export type NumberState = 'OPEN' | 'CONNECTING' | 'CLOSE'

/** What a link is for. */
export interface LinkFacts {
  readonly name: string
  /** Masked: only the last four digits are visible. */
  readonly number: string
  readonly numberId: string | null
  /** Where the person goes after pairing; null when the tenant named no address. */
  readonly redirectUrl: string | null
}

/** A pairing code in an answer. */
export interface AnsweredCode {
  /** A PNG as a data URI, black on white with its quiet zone. */
  readonly qr: string | null
  /** The code to type on the phone, `ABCD-EFGH`; null when there is none. */
  readonly text: string | null
  readonly expiresInMs: number | null
}

/** Why a pairing cannot continue ([pairing.routes.7]). */
export type PairingReason = 'QR_EXPIRED' | 'PASSKEY_REQUIRED' | 'WRONG_NUMBER' | 'BANNED'

/** Why a link cannot pair ([pairing.routes.5]). */
export type LinkEnd = 'EXPIRED' | 'REVOKED' | 'USED' | 'UNKNOWN'

export type Answer =
  | { readonly kind: 'view'; readonly link: LinkFacts; readonly state: NumberState }
  | { readonly kind: 'code'; readonly code: AnsweredCode }
  | {
      readonly kind: 'status'
      readonly state: NumberState
      readonly reason: PairingReason | null
      readonly code: AnsweredCode
      readonly numberId: string | null
    }
  /** A 404. A link that was used carries `name` and `number`, so that its page can say what it paired. */
  | {
      readonly kind: 'over'
      readonly reason: LinkEnd
      readonly redirectUrl: string | null
      readonly numberId: string | null
      readonly name?: string
      readonly number?: string
    }
  /** A 409: the number is connected already. */
  | { readonly kind: 'open' }
  /** Any other refusal, such as 429 or 5xx. */
  | { readonly kind: 'refused'; readonly isBusy: boolean; readonly retryAfterMs: number | null }
  /** No answer came. */
  | { readonly kind: 'lost' }

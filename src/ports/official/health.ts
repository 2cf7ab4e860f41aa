import type { Outcome } from '../../domain/errors.ts'

/** What upstream says of a phone number now. */
export interface OfficialHealth {
  /** Digits of the number that the phone id stands for. */
  readonly number: string
  readonly qualityRating: string | null
  /** Upstream's word, such as TIER_2K. */
  readonly messagingLimitTier: string | null
  readonly officialStatus: string | null
  /** Messages a second that upstream takes of the number; null when it does not say. */
  readonly perSecond: number | null
}

/** The limits of a phone of an account. */
export interface PhoneLimits extends Pick<OfficialHealth, 'messagingLimitTier' | 'perSecond'> {
  readonly phoneId: string
}

/** The state of the number upstream. */
export interface HealthPort {
  /** Reads the state. OFFICIAL_CREDENTIALS_REJECTED with upstream's reason when the token or the ids do not fit. */
  read(): Promise<Outcome<OfficialHealth>>
  /** Reads the limits of all phones of the number's account, a request for each hundred. Refuses as `read` does. */
  readLimits(): Promise<Outcome<readonly PhoneLimits[]>>
}

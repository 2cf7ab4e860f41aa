import type { Outcome } from '../domain/errors.ts'

/** What a call to the official platform authenticates with; sealed at rest, never logged. */
export interface OfficialCredentials {
  readonly phoneId: string
  readonly accountId: string
  readonly accessToken: string
  readonly appId: string | null
  readonly appSecret: string | null
}

/** What upstream says of a phone number now. */
export interface OfficialHealth {
  /** Digits of the number that the phone id stands for. */
  readonly number: string
  readonly qualityRating: string | null
  /** Such as TIER_2K. */
  readonly messagingLimitTier: string | null
  readonly officialStatus: string | null
}

export type CallingOutcome = 'ENABLED' | 'PENDING_TIER' | 'PENDING_WEBHOOK'

export interface CallPermission {
  readonly permission: { readonly status: string, readonly expiration_time?: number }
  readonly actions: readonly {
    readonly action_name: string
    readonly can_perform_action: boolean
    readonly limits?: readonly { readonly time_period: string, readonly max_allowed: number, readonly current_usage: number }[]
  }[]
}

/**
 * The official platform beyond calls in progress (those go through ProviderSession). Every request answers an
 * Outcome whose refusal carries `details {upstreamCode, upstreamMessage}` and never throws.
 */
export interface OfficialPlatform {
  /** OFFICIAL_CREDENTIALS_REJECTED with upstream's reason when the token or the ids do not fit. */
  readHealth(credentials: OfficialCredentials): Promise<Outcome<OfficialHealth>>
  /** Subscribes our app to the account's webhooks, delivered to `callbackUrl` and verified by `verifyToken`. */
  subscribe(credentials: OfficialCredentials, callbackUrl: string, verifyToken: string): Promise<Outcome<null>>
  /** Tries to enable calling; 138015 and 138018 are outcomes, not refusals (spec: Number calling enablement). */
  enableCalling(credentials: OfficialCredentials): Promise<Outcome<CallingOutcome>>
  /** The `calling` object, SIP credentials never asked for and never passed on. */
  readCallSettings(credentials: OfficialCredentials): Promise<Outcome<Readonly<Record<string, unknown>>>>
  /** Partial; answers the settings read back. */
  writeCallSettings(credentials: OfficialCredentials, calling: Readonly<Record<string, unknown>>): Promise<Outcome<Readonly<Record<string, unknown>>>>
  readCallPermission(credentials: OfficialCredentials, to: string): Promise<Outcome<CallPermission>>
  /** Answers the id of the request's message. */
  requestCallPermission(credentials: OfficialCredentials, to: string, text: string): Promise<Outcome<{ readonly messageId: string }>>
}

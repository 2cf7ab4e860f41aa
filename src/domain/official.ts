/** Words and rules of OFFICIAL numbers (docs/contract/official.md). Pure. */

export const CALLING_STATUSES = ['NOT_ENABLED', 'PENDING_TIER', 'PENDING_WEBHOOK', 'ENABLED'] as const
export type CallingStatus = (typeof CALLING_STATUSES)[number]

/**
 * The ways of MARKETING templates ([message-verbs.delivery.2]). `auto`: upstream's endpoint for them, where it lets the
 * account in. `messages`: the way of all other messages.
 */
export const MARKETING_WAYS = ['auto', 'messages'] as const
export type MarketingWay = (typeof MARKETING_WAYS)[number]

/** The facts that only an OFFICIAL number has. Tokens and secrets are kept apart. */
export interface OfficialFacts {
  readonly phoneId: string
  readonly accountId: string
  readonly appId: string | null
  readonly callingStatus: CallingStatus
  readonly qualityRating: string | null
  /** The upstream's word, such as TIER_2K. */
  readonly messagingLimitTier: string | null
  /** The status of the phone as upstream names it. */
  readonly officialStatus: string | null
  /** Messages a second that upstream takes of the number; null until it was asked. */
  readonly perSecond?: number | null
  /** When upstream was last asked. */
  readonly checkedAt: Date | null
  /** False once upstream refused the access token, until it takes one again. */
  readonly isTokenValid: boolean
}

/** How fast and how far upstream lets a number send, as it names both. */
export type OfficialLimits = Pick<OfficialFacts, 'messagingLimitTier' | 'perSecond'>

/** Whether both say the same. */
export function hasSameLimits(one: OfficialLimits, other: OfficialLimits): boolean {
  return one.messagingLimitTier === other.messagingLimitTier && (one.perSecond ?? null) === (other.perSecond ?? null)
}

/** What an answer of upstream says of the number itself, beside the request. */
export type NumberMark = 'TOKEN_INVALID' | 'RESTRICTED' | 'CALLING_DISABLED' | 'PENDING_TIER' | 'PENDING_WEBHOOK'

/**
 * Our choice: statuses of a phone for which upstream sends nothing. FLAGGED and RESTRICTED numbers still send, within
 * limits.
 */
const SILENT: ReadonlySet<string> = new Set(['BANNED', 'DELETED', 'DISCONNECTED', 'MIGRATED', 'PENDING', 'UNVERIFIED'])

/** True when upstream would now take a message or a call of this number, as far as is known. */
export function isSendable({ isTokenValid, officialStatus }: OfficialFacts): boolean {
  return isTokenValid && !SILENT.has(officialStatus ?? '')
}

const MINUTE_MS = 60_000
/**
 * Our choice: tries to enable calling come soon at first, for a webhook field that is being subscribed right now, and
 * later at the pace of upstream, which raises a tier within 6 h.
 */
const CALLING_WAITS_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, 180 * MINUTE_MS]
const CALLING_LAST_WAIT_MS = 360 * MINUTE_MS

/** Tells how long to wait, in ms, after the `tries`-th failed try in a row to enable calling (1 for the first). */
export function callingRetryMs(tries: number): number {
  return CALLING_WAITS_MS[tries - 1] ?? CALLING_LAST_WAIT_MS
}

/** The address where upstream delivers what happens on the number. */
export function webhookUrlOf(baseUrl: string, numberId: string): string {
  return `${baseUrl}/webhooks/official/${numberId}`
}

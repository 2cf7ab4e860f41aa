/** Words and rules of OFFICIAL numbers (spec: Number calling enablement; contract 3). Pure. */

export const CALLING_STATUSES = ['NOT_ENABLED', 'PENDING_TIER', 'PENDING_WEBHOOK', 'ENABLED'] as const
export type CallingStatus = (typeof CALLING_STATUSES)[number]

/** What an OFFICIAL number has beyond any number. Tokens and secrets are kept apart. */
export interface OfficialFacts {
  readonly phoneId: string
  readonly accountId: string
  readonly appId: string | null
  readonly callingStatus: CallingStatus
  readonly qualityRating: string | null
  /** Such as TIER_2K. */
  readonly messagingLimitTier: string | null
  /** Status of the phone as upstream names it. */
  readonly officialStatus: string | null
  /** When upstream was last asked. */
  readonly checkedAt: Date | null
  /** False once upstream refused the access token, until it takes one again. */
  readonly isTokenValid: boolean
}

/** What an answer of upstream says of the number itself, beside the request. */
export type NumberMark = 'TOKEN_INVALID' | 'CALLING_DISABLED' | 'PENDING_TIER' | 'PENDING_WEBHOOK'

/**
 * Our choice: states of a phone in which upstream sends nothing for it. FLAGGED and RESTRICTED numbers still send,
 * within limits.
 */
const SILENT: ReadonlySet<string> = new Set(['BANNED', 'DELETED', 'DISCONNECTED', 'MIGRATED', 'PENDING', 'UNVERIFIED'])

/** Whether upstream would take a message or a call of this number now, as far as is known. */
export function isSendable({ isTokenValid, officialStatus }: OfficialFacts): boolean {
  return isTokenValid && !SILENT.has(officialStatus ?? '')
}

const MINUTE_MS = 60_000
/**
 * Our choice: tries to enable calling come soon at first, for a field that is being subscribed right now, and then at
 * the pace of upstream, which raises a tier within 6 h.
 */
const CALLING_WAITS_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, 180 * MINUTE_MS]
const CALLING_LAST_WAIT_MS = 360 * MINUTE_MS

/** How long to wait after the `tries`-th try in a row that did not enable calling (1 for the first). */
export function callingRetryMs(tries: number): number {
  return CALLING_WAITS_MS[tries - 1] ?? CALLING_LAST_WAIT_MS
}

/** Where upstream delivers what happens on the number. */
export function webhookUrlOf(baseUrl: string, numberId: string): string {
  return `${baseUrl}/webhooks/official/${numberId}`
}

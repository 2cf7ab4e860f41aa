/** When a token is refreshed and when it is over; pure, all in ms of one monotonic clock. */

export interface TokenLife {
  readonly token: string
  readonly sinceMs: number
  readonly endsMs: number
}

/** [inbox.token.2]: at 80 % of its life; when seen or online again, with under 30 % left. */
const REFRESH_AT = 0.8
const EARLY_UNDER = 0.3
/** Our choice: between two tries that the network lost. */
const RETRY_MS = 5_000

/** The life of a token: `expiresAt` and `serverNow` by the server's clock, `nowMs` by ours. */
export function lifeOf(token: string, expiresAt: string, serverNow: number, nowMs: number): TokenLife {
  return { token, sinceMs: nowMs, endsMs: nowMs + Math.max(0, Date.parse(expiresAt) - serverNow) }
}

/** How long to wait for the next refresh. */
export function refreshInMs({ sinceMs, endsMs }: TokenLife, nowMs: number): number {
  return Math.max(0, sinceMs + (endsMs - sinceMs) * REFRESH_AT - nowMs)
}

/** Whether to refresh at once as the page is seen or online again. */
export function isRefreshDue({ sinceMs, endsMs }: TokenLife, nowMs: number): boolean {
  return endsMs - nowMs < (endsMs - sinceMs) * EARLY_UNDER
}

/**
 * What to do after a try that the network lost: wait so long, or null, as the token is over. A lost network is no
 * expiry before that.
 */
export function retryInMs({ endsMs }: TokenLife, nowMs: number): number | null {
  return nowMs >= endsMs ? null : Math.min(RETRY_MS, endsMs - nowMs)
}

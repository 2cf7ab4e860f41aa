/** When a token is refreshed and when it expires. Pure; all times in ms of one monotonic clock. */

export interface TokenLife {
  readonly token: string
  readonly sinceMs: number
  readonly endsMs: number
}

/**
 * [inbox.token.2]: a token is refreshed at 80 % of its life, and with under 30 % left when the page becomes visible or
 * comes online.
 */
const REFRESH_AT = 0.8
const EARLY_UNDER = 0.3
/** Our choice, in ms: the wait between two tries that a network failure ended. */
const RETRY_MS = 5_000

/**
 * The life of a token. `expiresAt` and `serverNow` are times of the server's clock, `nowMs` is of the page's monotonic
 * clock.
 */
export function lifeOf(token: string, expiresAt: string, serverNow: number, nowMs: number): TokenLife {
  return { token, sinceMs: nowMs, endsMs: nowMs + Math.max(0, Date.parse(expiresAt) - serverNow) }
}

/** Ms until the next refresh. */
export function refreshInMs({ sinceMs, endsMs }: TokenLife, nowMs: number): number {
  return Math.max(0, sinceMs + (endsMs - sinceMs) * REFRESH_AT - nowMs)
}

/** Whether to refresh at once when the page becomes visible or comes online again. */
export function isRefreshDue({ sinceMs, endsMs }: TokenLife, nowMs: number): boolean {
  return endsMs - nowMs < (endsMs - sinceMs) * EARLY_UNDER
}

/**
 * Ms to wait after a try that a network failure ended; null when the token has expired. A network failure alone does
 * not end the session.
 */
export function retryInMs({ endsMs }: TokenLife, nowMs: number): number | null {
  return nowMs >= endsMs ? null : Math.min(RETRY_MS, endsMs - nowMs)
}

import type { RateLimiter } from '../../../ports/rate-limiter.ts'
import type { LeadNotice } from '../../../ports/stores/lead-notice-store.ts'
import { takeOfPosts } from '../official-webhooks/post-limits.ts'

/** Our choice: leads that the Pages of an app are told of, and one Page: some hundred times what busy ones get. */
const APP_NOTICES_PER_MINUTE = 20_000
const PAGE_NOTICES_PER_MINUTE = 5_000
/**
 * Our choice: a Page with no more notices in a post counts for its app alone, so that a post of many Pages is not as
 * many questions.
 */
const FEW_NOTICES = 20

/**
 * Counts notices for the app, and for each Page that has many of them. `sender`: the app, and the secret that signed.
 * Throws 429 RATE_LIMITED.
 */
export async function countNotices(
  limiter: RateLimiter,
  sender: string,
  notices: readonly LeadNotice[],
): Promise<void> {
  if (notices.length === 0) return
  await takeOfPosts(limiter, `notices:${sender}`, APP_NOTICES_PER_MINUTE, notices.length)
  for (const [pageId, { length }] of Map.groupBy(notices, (notice) => notice.pageId)) {
    if (length > FEW_NOTICES) await takeOfPosts(limiter, `notices:${sender}:${pageId}`, PAGE_NOTICES_PER_MINUTE, length)
  }
}

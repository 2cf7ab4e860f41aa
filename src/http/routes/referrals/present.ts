import type { ReferralSummary } from '../../../domain/referral.ts'
import { presentNames } from '../messages/present.ts'

/** An ad or post with what it brought (contract 13). */
export function presentSummary(ad: ReferralSummary) {
  const { sourceId, sourceType, conversations, messages, lastSourceUrl, lastHeadline, lastMessageAt } = ad
  return {
    sourceId,
    sourceType,
    conversations,
    messages,
    lastSourceUrl,
    lastHeadline,
    lastMessageAt: lastMessageAt.toISOString(),
    ...presentNames(ad),
  }
}

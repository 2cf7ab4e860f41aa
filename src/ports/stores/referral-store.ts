import type { NumberRef } from '../../domain/number.ts'
import type { ReferralSummary, SourceType } from '../../domain/referral.ts'
import type { ListedMessage, Page, Paged } from './message-store.ts'

export interface ReferralRange {
  /** Both inclusive, compared with the message's time. */
  readonly startDate: Date | null
  readonly endDate: Date | null
}

export interface ReferralQuery extends Page, ReferralRange {
  readonly sourceId: string | null
  readonly sourceType: SourceType | null
}

/**
 * Referrals of a number. MessageInbox records them with their message, and they outlive it
 * ([referrals.first-message.5]).
 */
export interface ReferralStore {
  /**
   * Lists referrals as message items, newest first, ties by id descending; withheld and purged ones come without
   * personal data.
   */
  list(number: NumberRef, query: ReferralQuery): Promise<Paged<ListedMessage>>
  /**
   * Summarises ads, ordered by conversations, messages, time of the last message, sourceId, each descending
   * ([referrals.summary.4]); at most `limit`, and whether there are more.
   */
  summary(
    number: NumberRef,
    range: ReferralRange,
    limit: number,
  ): Promise<{ readonly ads: readonly ReferralSummary[]; readonly isTruncated: boolean }>
}

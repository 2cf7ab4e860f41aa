import type { NumberRef } from '../../domain/number.ts'
import type { ReferralSummary, SourceType } from '../../domain/referral.ts'
import type { ListedMessage, Page, Paged } from './message-store.ts'

export interface ReferralRange {
  /** Both inclusive, on the message's time. */
  readonly startDate: Date | null
  readonly endDate: Date | null
}

export interface ReferralQuery extends Page, ReferralRange {
  readonly sourceId: string | null
  readonly sourceType: SourceType | null
}

/** Referrals of a number. They are recorded by whoever stores the message (MessageInbox), and outlive it. */
export interface ReferralStore {
  /** As message items, newest first, ties by id descending; withheld and purged ones without what is of a person. */
  list(number: NumberRef, query: ReferralQuery): Promise<Paged<ListedMessage>>
  /**
   * By conversations, messages, time of the last message, sourceId, each descending; at most `limit`, and whether there
   * are more.
   */
  summary(
    number: NumberRef,
    range: ReferralRange,
    limit: number,
  ): Promise<{ readonly ads: readonly ReferralSummary[]; readonly isTruncated: boolean }>
}

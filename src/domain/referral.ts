/** What a referral may lead back to ([referrals.objects.2]). */
export const SOURCE_TYPES = ['ad', 'post'] as const
export type SourceType = (typeof SOURCE_TYPES)[number]

/**
 * What upstream tells of the ad or post that a conversation began with; null for what it did not send
 * ([referrals.objects.3]).
 */
export interface ToldReferral {
  /** Digits, beyond 2^53. */
  readonly sourceId: string | null
  /** Null for what is neither an ad nor a post. */
  readonly sourceType: SourceType | null
  readonly sourceUrl: string | null
  readonly headline: string | null
  readonly body: string | null
  readonly mediaType: string | null
  readonly imageUrl: string | null
  readonly videoUrl: string | null
  readonly thumbnailUrl: string | null
  readonly welcomeMessage: string | null
  /** Names one click, and so one person ([referrals.objects.4]). */
  readonly ctwaClid: string | null
}

/** Names of an ad, as a number knows them. */
export interface ResolvedNames {
  readonly adName: string | null
  readonly adsetId: string | null
  readonly adsetName: string | null
  readonly campaignId: string | null
  readonly campaignName: string | null
  /** Null when not resolved yet; once set it is final, with or without names ([referrals.names.7]). */
  readonly namesResolvedAt: Date | null
}

/** The referral of a message as it is shown. */
export interface Referral extends ToldReferral, ResolvedNames {}

/** An ad or post with what it brought ([referrals.summary.1]). */
export interface ReferralSummary extends ResolvedNames {
  readonly sourceId: string
  readonly sourceType: SourceType | null
  readonly conversations: number
  readonly messages: number
  readonly lastSourceUrl: string | null
  readonly lastHeadline: string | null
  readonly lastMessageAt: Date
}

/** An ad's id as upstream is asked for it: digits alone, since it stands in a path. */
const AD_ID = /^\d{1,64}$/

/**
 * Gives the ad whose names upstream is asked for; null for a post, or for an id that upstream cannot be asked for: then
 * the names are final ([referrals.names.10]).
 */
export function adOf({ sourceId, sourceType }: Pick<ToldReferral, 'sourceId' | 'sourceType'>): string | null {
  return sourceId !== null && sourceType !== 'post' && AD_ID.test(sourceId) ? sourceId : null
}

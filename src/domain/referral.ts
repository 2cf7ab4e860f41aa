/** spec: Referrals. */
export const SOURCE_TYPES = ['ad', 'post'] as const
export type SourceType = (typeof SOURCE_TYPES)[number]

/** What upstream tells of the ad or post that a conversation began with (contract 13). What it did not send is null. */
export interface ToldReferral {
  /** Digits, beyond 2^53. */
  readonly sourceId: string | null
  /** Null for what is neither. */
  readonly sourceType: SourceType | null
  readonly sourceUrl: string | null
  readonly headline: string | null
  readonly body: string | null
  readonly mediaType: string | null
  readonly imageUrl: string | null
  readonly videoUrl: string | null
  readonly thumbnailUrl: string | null
  readonly welcomeMessage: string | null
  /** Of one click, and so of a person. */
  readonly ctwaClid: string | null
}

/** Names of an ad, as a number knows them. */
export interface ResolvedNames {
  readonly adName: string | null
  readonly adsetId: string | null
  readonly adsetName: string | null
  readonly campaignId: string | null
  readonly campaignName: string | null
  /** Null: not resolved yet; else final, names or none. */
  readonly namesResolvedAt: Date | null
}

/** The referral of a message as it is shown. */
export interface Referral extends ToldReferral, ResolvedNames {}

/** An ad or post with what it brought (spec: Referral, Summary item). */
export interface ReferralSummary extends ResolvedNames {
  readonly sourceId: string
  readonly sourceType: SourceType | null
  readonly conversations: number
  readonly messages: number
  readonly lastSourceUrl: string | null
  readonly lastHeadline: string | null
  readonly lastMessageAt: Date
}

/** An ad's id as upstream is asked for it: digits alone, for it stands in a path. */
const AD_ID = /^\d{1,64}$/

/**
 * The ad whose names are asked for; null: a post, or nothing that upstream can be asked for, and the names are final
 * (contract 13, Names).
 */
export function adOf({ sourceId, sourceType }: Pick<ToldReferral, 'sourceId' | 'sourceType'>): string | null {
  return sourceId !== null && sourceType !== 'post' && AD_ID.test(sourceId) ? sourceId : null
}

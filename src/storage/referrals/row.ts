import { adOf } from '../../domain/referral.ts'
import type { Referral, SourceType, ToldReferral } from '../../domain/referral.ts'
import { toDateOrNull } from '../engine/rows.ts'
import { isWithheld } from '../numbers/retention.ts'

/** What upstream tells, as columns. */
const TOLD = [
  'source_id', 'source_type', 'source_url', 'headline', 'body', 'media_type', 'image_url', 'video_url', 'thumbnail_url', 'welcome_message', 'ctwa_clid',
] as const
export const TOLD_COLUMNS = TOLD.join(', ')

/** What an item of `ownedCtes` has for its referral; see `referralFields`. */
export const REFERRAL_COLUMNS = `has_referral boolean, asked_ad_id text, ${TOLD.map((column) => `${column} text`).join(', ')}`

/** The columns that `recordCtes` reads a referral from, beside those of the message that carries it; of a message without one they are absent. */
export function referralFields(referral: ToldReferral | null) {
  if (referral === null) return {}
  const { sourceId, sourceType, sourceUrl, headline, body, mediaType, imageUrl, videoUrl, thumbnailUrl, welcomeMessage, ctwaClid } = referral
  return {
    has_referral: true, asked_ad_id: adOf(referral), source_id: sourceId, source_type: sourceType, source_url: sourceUrl, headline, body, media_type: mediaType,
    image_url: imageUrl, video_url: videoUrl, thumbnail_url: thumbnailUrl, welcome_message: welcomeMessage, ctwa_clid: ctwaClid,
  }
}

/** A referral as reads select it beside a message. */
export interface ReferralRow {
  /** Null: the message has none, and all that follows is null. */
  readonly referral_of: string | null
  readonly source_id: string | null
  readonly source_type: SourceType | null
  readonly source_url: string | null
  readonly headline: string | null
  readonly body: string | null
  readonly media_type: string | null
  readonly image_url: string | null
  readonly video_url: string | null
  readonly thumbnail_url: string | null
  readonly welcome_message: string | null
  readonly ctwa_clid: string | null
  readonly ad_name: string | null
  readonly adset_id: string | null
  readonly adset_name: string | null
  readonly campaign_id: string | null
  readonly campaign_name: string | null
  readonly names_resolved_at: string | null
}

/** The names of ad `a`, and since when they are final for a referral `r`. */
export const NAME_COLUMNS = 'a.ad_name, a.adset_id, a.adset_name, a.campaign_id, a.campaign_name, coalesce(a.names_resolved_at, r.final_at) as names_resolved_at'
/** Joins ad `a` to referrals `r`: as the number knows it, and where there is one to ask for. */
export const JOIN_AD = 'left join ads a on a.number_id = r.number_id and a.ad_id = r.source_id and r.final_at is null'

/** What a read selects of referrals `r` of numbers `n`: the id of a click that is withheld does not leave the database. */
export function referralColumns(now: string): string {
  const told = TOLD.map((column) => column === 'ctwa_clid' ? `case when not ${isWithheld('r.created_at', now)} then r.ctwa_clid end as ctwa_clid` : `r.${column}`)
  return `r.message_id as referral_of, ${told.join(', ')}, ${NAME_COLUMNS}`
}

export function toReferral(row: ReferralRow): Referral | null {
  if (row.referral_of === null) return null
  return {
    sourceId: row.source_id, sourceType: row.source_type, sourceUrl: row.source_url, headline: row.headline, body: row.body, mediaType: row.media_type,
    imageUrl: row.image_url, videoUrl: row.video_url, thumbnailUrl: row.thumbnail_url, welcomeMessage: row.welcome_message, ctwaClid: row.ctwa_clid,
    ...toNames(row),
  }
}

export function toNames(row: Pick<ReferralRow, 'ad_name' | 'adset_id' | 'adset_name' | 'campaign_id' | 'campaign_name' | 'names_resolved_at'>) {
  return {
    adName: row.ad_name, adsetId: row.adset_id, adsetName: row.adset_name, campaignId: row.campaign_id, campaignName: row.campaign_name,
    namesResolvedAt: toDateOrNull(row.names_resolved_at),
  }
}

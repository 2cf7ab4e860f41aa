import { adOf } from '../../domain/referral.ts'
import type { Referral, ToldReferral } from '../../domain/referral.ts'
import { AdEntity } from '../ads/entity.ts'
import { rowsOf, type RowOf } from '../engine/rows-of.ts'
import { recordset } from '../engine/rows.ts'
import { isWithheld } from '../numbers/retention.ts'
import { ReferralEntity } from './entity.ts'

/** What upstream tells; the same without the click, which is of a person; and the names of ads. */
const TOLD = rowsOf(ReferralEntity).without(
  'messageId',
  'tenantId',
  'numberId',
  'conversationId',
  'externalMessageId',
  'type',
  'finalAt',
  'previousAt',
  'createdAt',
)
const IMPERSONAL = TOLD.without('ctwaClid')
export const NAMES = rowsOf(AdEntity).only(
  'adName',
  'adsetId',
  'adsetName',
  'campaignId',
  'campaignName',
  'namesResolvedAt',
)

/** The columns of what upstream tells, and what they hold of `of`: of the click, what `click` says. */
export const TOLD_COLUMNS = `${IMPERSONAL.list()}, ctwa_clid`
export function toldColumns(of: string, click: string): string {
  return `${IMPERSONAL.list(of)}, ${click} as ctwa_clid`
}

/** What an item of `ownedCtes` has for its referral; see `referralFields`. */
export const REFERRAL_COLUMNS = `has_referral boolean, asked_ad_id text, ${recordset(TOLD.types)}`

/**
 * The columns that `recordCtes` reads a referral from, beside those of the message that carries it; of a message
 * without one they are absent.
 */
export function referralFields(referral: ToldReferral | null) {
  return referral === null ? {} : { has_referral: true, asked_ad_id: adOf(referral), ...TOLD.write(referral) }
}

/** A referral as reads select it beside a message. Without `referral_of` the message has none, and all is null. */
export type ReferralRow = RowOf<Referral> & { readonly referral_of: string | null }

/** The names of ad `a`, and since when they are final for a referral `r`. */
export const NAME_COLUMNS =
  'a.ad_name, a.adset_id, a.adset_name, a.campaign_id, a.campaign_name, coalesce(a.names_resolved_at, r.final_at) as names_resolved_at'
/** Joins ad `a` to referrals `r`: as the number knows it, and where there is one to ask for. */
export const JOIN_AD = 'left join ads a on a.number_id = r.number_id and a.ad_id = r.source_id and r.final_at is null'

/**
 * What a read selects of referrals `r` of numbers `n`: the id of a click that is withheld does not leave the database.
 */
export function referralColumns(now: string): string {
  const click = `case when not ${isWithheld('r.created_at', now)} then r.ctwa_clid end`
  return `r.message_id as referral_of, ${toldColumns('r', click)}, ${NAME_COLUMNS}`
}

export function toReferral(row: ReferralRow): Referral | null {
  return row.referral_of === null ? null : { ...TOLD.read(row), ...NAMES.read(row) }
}

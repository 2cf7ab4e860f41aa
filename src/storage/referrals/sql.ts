import { namesOf } from '../../domain/kinds/kinds.ts'
import { adOf, type Referral, type ToldReferral } from '../../domain/referral.ts'
import { AdEntity } from '../ads/entity.ts'
import { wantAdsCte } from '../ads/store.ts'
import { rowsOf, type RowOf } from '../engine/rows-of.ts'
import { recordset } from '../engine/rows.ts'
import { isRow } from '../engine/statement.ts'
import { isOfParts } from '../conversations/parts.ts'
import { isWithheld } from '../numbers/retention.ts'
import { shownId } from '../message-keys/ids.ts'
import { ReferralEntity } from './entity.ts'

/** Columns that upstream tells; the same without the click id, which belongs to a person; and the names of ads. */
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

/** The columns that upstream tells, and their values from `of`; the click id comes from `click`. */
const TOLD_COLUMNS = `${IMPERSONAL.list()}, ctwa_clid`
function toldColumns(of: string, click: string): string {
  return `${IMPERSONAL.list(of)}, ${click} as ctwa_clid`
}

/** Columns that an item of `ownedCtes` has for a referral; see `referralFields`. */
export const REFERRAL_COLUMNS = `has_referral boolean, asked_ad_id text, ${recordset(TOLD.types)}`

/**
 * The columns that `recordCtes` reads a referral from, beside those of the message that carries it; none when the
 * message has no referral.
 */
export function referralFields(referral: ToldReferral | null) {
  return referral === null ? {} : { has_referral: true, asked_ad_id: adOf(referral), ...TOLD.write(referral) }
}

/** A referral as reads select it beside a message. When `referral_of` is null the message has none, and all is null. */
export type ReferralRow = RowOf<Referral> & { readonly referral_of: string | null }

/** SQL of the names of ad `a`, and since when they are final for referral `r`. */
export const NAME_COLUMNS =
  'a.ad_name, a.adset_id, a.adset_name, a.campaign_id, a.campaign_name, coalesce(a.names_resolved_at, r.final_at) as names_resolved_at'
/** SQL that joins ad `a` to referrals `r`, as the number knows it; only referrals with an ad to ask for have one. */
export const JOIN_AD = 'left join ads a on a.number_id = r.number_id and a.ad_id = r.source_id and r.final_at is null'

/** What a read selects of referrals `r` of numbers `n`. A withheld click id does not leave the database. */
export function referralColumns(now: string): string {
  const click = `case when not ${isWithheld('r.created_at', now)} then r.ctwa_clid end`
  return `r.message_id as referral_of, ${toldColumns('r', click)}, ${NAME_COLUMNS}`
}

export function toReferral(row: ReferralRow): Referral | null {
  return row.referral_of === null ? null : { ...TOLD.read(row), ...NAMES.read(row) }
}

/** SQL list of the kinds of number that get referrals. */
const HEARING_KINDS = namesOf(({ can }) => can.referrals)
  .map((name) => `'${name}'`)
  .join()

/**
 * A message within the service window of another one begins no conversation ([referrals.first-message.1],
 * [referrals.first-message.3]). Our choice: a message that comes exactly when the window closes, 24 h later to the
 * millisecond, begins one; of two of the same second, the one stored first does.
 */
const WINDOW = `interval '24 hours'`

/** SQL that is true when `at` is in the 24 h before message `f`. */
function isBefore(at: string): string {
  return `${at} > f.at - ${WINDOW} and ${at} <= f.at`
}

/**
 * SQL that is true of the first message of a window. What opened the window is known by its message, by the newest
 * message of the conversation, or by its referral, whichever is left, because messages are purged. What upstream says
 * of a user (`system`) is no message of theirs. `fresh` has what the statement stores, in the order it came.
 */
const IS_FIRST = `not exists (select 1 from messages m where ${isOfParts('m.conversation_id', 'f.conversation_id')} and m.direction = 'INBOUND' and ${isBefore('m.created_at')} and m.type <> 'system')
        and not exists (select 1 from conversations c where ${isRow('c', 'f.conversation_id', 'f.number_id')} and ${isBefore('c.last_inbound_at')})
        and not exists (select 1 from referrals r where r.conversation_id = f.conversation_id and ${isBefore('r.created_at')})
        and not exists (select 1 from fresh e where e.conversation_id = f.conversation_id and e.place < f.place and not e.is_from_me and e.type <> 'system' and ${isBefore('e.at')})`

/**
 * SQL of the rows of query `chain` (`message_id, conversation_id, source_id, at, is_new`), each with the time of the
 * one before it.
 */
function chained(chain: string): string {
  return `select *, lag(at) over (partition by conversation_id, source_id order by at, message_id) as previous_at from (${chain}) chain`
}

/**
 * SQL of CTEs that record the referrals of new messages, the CTE `fresh` (`place, id, number_id, tenant_id, provider,
 * conversation_id, kind, external_id, external_form, is_from_me, type, at, is_kept` and REFERRAL_COLUMNS), and make
 * their ads due. A referral counts when the message begins a conversation with one person, on a number whose kind has
 * referrals. A late one is put between those before and after it. `now` is the time parameter. The CTE `begun` has
 * what was recorded.
 */
export function recordCtes(now: string): string {
  return `begun as (
      select f.* from fresh f where f.has_referral and f.provider in (${HEARING_KINDS}) and f.kind = 'DIRECT' and not f.is_from_me and f.type <> 'system' and ${IS_FIRST}
    ), chained as (
      ${chained(`select id as message_id, conversation_id, source_id, at, true as is_new from begun
        union all select r.message_id, r.conversation_id, r.source_id, r.created_at, false from referrals r where (r.conversation_id, r.source_id) in (select conversation_id, source_id from begun)`)}
    ), referred as (
      insert into referrals (message_id, tenant_id, number_id, conversation_id, external_message_id, type, ${TOLD_COLUMNS}, final_at, previous_at, created_at)
      select b.id, b.tenant_id, b.number_id, b.conversation_id, ${shownId('b')}, b.type, ${toldColumns('b', 'case when b.is_kept then b.ctwa_clid end')},
        case when b.asked_ad_id is null then ${now}::timestamptz end, c.previous_at, b.at
      from begun b join chained c on c.is_new and c.message_id = b.id
    ), followed as (
      update referrals r set previous_at = c.previous_at from chained c where not c.is_new and r.message_id = c.message_id and r.previous_at is distinct from c.previous_at
    ), ${wantAdsCte('select number_id, asked_ad_id as ad_id, null::text as page_id from begun', now)}`
}

/**
 * SQL of a CTE that moves the referrals of merged conversations; the CTE `wanted` lists `alias_id, conversation_id`.
 */
export const JOIN_REFERRALS = `led as (
      update referrals r set conversation_id = j.conversation_id, previous_at = j.previous_at
      from (${chained(`select distinct r.message_id, w.conversation_id, r.source_id, r.created_at as at
        from wanted w cross join lateral (select 1 from referrals where conversation_id = w.alias_id limit 1) x join referrals r on r.conversation_id = any(array[w.alias_id, w.conversation_id])`)}) j
      where r.message_id = j.message_id and (r.conversation_id <> j.conversation_id or r.previous_at is distinct from j.previous_at)
    )`

import type { ConversationId, LeadId } from '../../domain/ids.ts'
import type { Lead } from '../../domain/lead.ts'
import { AdEntity } from '../ads/entity.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { ConversationEntity } from '../messages/conversation-entity.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { LeadEntity } from './entity.ts'

const LEADS = rowsOf(LeadEntity)
/** The columns stored of a new lead. */
export const STORED = LEADS.without('autoSendMessageId', 'erasedAt')
/** The columns read of leads as they are stored, and the names of their ads. */
const PLAIN = LEADS.without(
  'adName',
  'adsetName',
  'campaignName',
  'contactId',
  'sealedAutoSend',
  'autoSendDueAt',
  'eventId',
  'erasedAt',
)
export const AD_NAMES = rowsOf(AdEntity).only('adName', 'adsetName', 'campaignName', 'namesResolvedAt')
/** Columns of numbers and conversations that leads are stored and auto-sent by. */
export const NUMBERS = rowsOf(ChannelNumberEntity).only(
  'id',
  'tenantId',
  'provider',
  'number',
  'piiMode',
  'piiRetentionDays',
)
export const NUMBER_REFS = NUMBERS.without('piiMode', 'piiRetentionDays')
export const CONVERSATIONS = rowsOf(ConversationEntity).only('id', 'lastMessageAt')
/** The columns by which an import knows a lead. */
const KNOWN = LEADS.only('source', 'receivedAt')

/** A lead with the names of its ad and its conversation. */
export type LeadRow = RowIn<typeof PLAIN> & RowIn<typeof AD_NAMES> & { readonly conversation_id: ConversationId | null }

/**
 * Names that upstream's lead carried are the lead's own, and final; so is the lack of an ad. Otherwise names are those
 * of the ad `a`.
 */
const NAMES = `coalesce(l.ad_name, a.ad_name) as ad_name, coalesce(l.adset_name, a.adset_name) as adset_name, coalesce(l.campaign_name, a.campaign_name) as campaign_name,
  case when l.ad_id is null or l.ad_name is not null then l.received_at else a.names_resolved_at end as names_resolved_at`

/** What reads select of leads `l`, joined by `LEAD_JOINS`. */
export const LEAD_COLUMNS = `${PLAIN.list('l')}, ${NAMES}, c.id as conversation_id`

/**
 * Joins the conversation once there is one. Digits name a conversation themselves; other names of users lead to it by
 * aliases (`ledToBy`).
 */
export const LEAD_JOINS =
  'left join ads a on a.number_id = l.number_id and a.ad_id = l.ad_id left join conversations c on c.id = l.contact_id'

const toPlain = PLAIN.reader({ numberId: 'channelNumberId' })

export function toLead(row: LeadRow): Lead {
  return { ...toPlain(row), ...AD_NAMES.read(row), conversationId: row.conversation_id }
}

/** The context that orders of auto-sends are sealed with. */
export function orderContext(id: LeadId): string {
  return `lead-auto-send:${id}`
}

/** A lead as an import knows it; `source` is null when there is only a notice of it. */
export type KnownRow = Pick<LeadRow, 'leadgen_id'> & (RowIn<typeof KNOWN> | { readonly source: null })

export function toKnown(row: KnownRow): Pick<Lead, 'source' | 'receivedAt'> | null {
  return row.source === null ? null : KNOWN.read(row)
}

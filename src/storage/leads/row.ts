import type { ConversationId, LeadId } from '../../domain/ids.ts'
import type { Lead } from '../../domain/lead.ts'
import { AdEntity } from '../ads/entity.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { ledTo } from '../conversations/aliases.ts'
import { ConversationEntity } from '../conversations/entity.ts'
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
  'autoSendStatus',
  'autoSendReason',
  'sealedAutoSend',
  'autoSendDueAt',
  'eventId',
  'erasedAt',
)
const AUTO_SEND = LEADS.only('autoSendStatus', 'autoSendReason')
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

/** A lead with what became of its answer, the names of its ad and its conversation. */
export type LeadRow = RowIn<typeof PLAIN>
  & RowIn<typeof AUTO_SEND>
  & RowIn<typeof AD_NAMES> & { readonly conversation_id: ConversationId | null }

/**
 * Names that upstream's lead carried are the lead's own, and final; so is the lack of an ad. Otherwise names are those
 * of the ad `a`.
 */
const NAMES = `coalesce(l.ad_name, a.ad_name) as ad_name, coalesce(l.adset_name, a.adset_name) as adset_name, coalesce(l.campaign_name, a.campaign_name) as campaign_name,
  case when l.ad_id is null or l.ad_name is not null then l.received_at else a.names_resolved_at end as names_resolved_at`

/**
 * SQL of where the auto-send of lead `l` stands by its message `m` ([leads.auto-send.13], [leads.auto-send.14]). Our
 * choice: a canceled message makes the lead failed, with reason `canceled`. A message that is gone moves nothing.
 */
export const MOVED = {
  status: `case when m.status in ('FAILED', 'CANCELED') then 'failed' when m.status in ('SENT', 'DELIVERED', 'READ') then 'sent' else l.auto_send_status end`,
  reason: `case m.status when 'FAILED' then lower(coalesce(m.error_code, 'failed')) when 'CANCELED' then 'canceled' else l.auto_send_reason end`,
}

/**
 * What reads select of leads `l`, joined by `LEAD_JOINS`. An auto-send is read as its message stands, because the row
 * follows the message later, and the events of the message are the only news that its readers get.
 */
export const LEAD_COLUMNS = `${PLAIN.list('l')}, ${MOVED.status} as auto_send_status, ${MOVED.reason} as auto_send_reason, ${NAMES}, c.id as conversation_id`

/**
 * Joins the message of an auto-send that may still move ([leads.auto-send.16]), and the conversation once there is one.
 * It may have joined another one since.
 */
export const LEAD_JOINS = `left join ads a on a.number_id = l.number_id and a.ad_id = l.ad_id
  left join messages m on m.id = l.auto_send_message_id and m.number_id = l.number_id and l.auto_send_status in ('pending', 'sent')
  left join conversations c on c.id = ${ledTo('l.contact_id')}`

const toPlain = PLAIN.reader({ numberId: 'channelNumberId' })

export function toLead(row: LeadRow): Lead {
  return { ...toPlain(row), ...AUTO_SEND.read(row), ...AD_NAMES.read(row), conversationId: row.conversation_id }
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

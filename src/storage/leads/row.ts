import type { ConversationId, LeadId, MessageId, NumberId, TenantId } from '../../domain/ids.ts'
import type { AutoSendStatus, Lead, LeadField, LeadPlatform, LeadSource } from '../../domain/lead.ts'
import { toDate, toDateOrNull } from '../engine/rows.ts'

/** What a read selects of `leads`, with names of its ad and its conversation. */
export interface LeadRow {
  readonly id: LeadId
  readonly leadgen_id: string
  readonly tenant_id: TenantId
  readonly number_id: NumberId
  readonly page_id: string
  readonly page_name: string | null
  readonly form_id: string
  readonly form_name: string | null
  readonly ad_id: string | null
  readonly ad_name: string | null
  readonly adset_name: string | null
  readonly campaign_name: string | null
  readonly names_resolved_at: string | null
  readonly platform: LeadPlatform | null
  readonly is_organic: boolean | null
  readonly full_name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly fields: string
  readonly consent_given: boolean | null
  readonly conversation_id: ConversationId | null
  readonly auto_send_status: AutoSendStatus
  readonly auto_send_reason: string | null
  readonly auto_send_message_id: MessageId | null
  readonly source: LeadSource
  readonly is_redacted: boolean
  readonly created_at: string
  readonly received_at: string
}

const PLAIN = [
  'id', 'leadgen_id', 'tenant_id', 'number_id', 'page_id', 'page_name', 'form_id', 'form_name', 'ad_id', 'platform', 'is_organic', 'full_name', 'email', 'phone', 'fields',
  'consent_given', 'auto_send_status', 'auto_send_reason', 'auto_send_message_id', 'source', 'is_redacted', 'created_at', 'received_at',
].map((column) => `l.${column}`).join(', ')

/** Names that upstream's lead carried are its own, and final; so is that there is no ad. Else they are those of the ad `a`. */
const NAMES = `coalesce(l.ad_name, a.ad_name) as ad_name, coalesce(l.adset_name, a.adset_name) as adset_name, coalesce(l.campaign_name, a.campaign_name) as campaign_name,
  case when l.ad_id is null or l.ad_name is not null then l.received_at else a.names_resolved_at end as names_resolved_at`

/** Of leads `l` joined as `LEAD_JOINS` has it. */
export const LEAD_COLUMNS = `${PLAIN}, ${NAMES}, c.id as conversation_id`

/** The conversation is shown once there is one. Digits name it themselves: what users are called otherwise leads there (`ledToBy`). */
export const LEAD_JOINS = 'left join ads a on a.number_id = l.number_id and a.ad_id = l.ad_id left join conversations c on c.id = l.contact_id'

export function toLead(row: LeadRow): Lead {
  return {
    id: row.id, leadgenId: row.leadgen_id, tenantId: row.tenant_id, channelNumberId: row.number_id, pageId: row.page_id, pageName: row.page_name,
    formId: row.form_id, formName: row.form_name, adId: row.ad_id, adName: row.ad_name, adsetName: row.adset_name, campaignName: row.campaign_name,
    platform: row.platform, isOrganic: row.is_organic, fullName: row.full_name, email: row.email, phone: row.phone, fields: JSON.parse(row.fields) as LeadField[],
    consentGiven: row.consent_given, conversationId: row.conversation_id, autoSendStatus: row.auto_send_status, autoSendReason: row.auto_send_reason,
    autoSendMessageId: row.auto_send_message_id, source: row.source, isRedacted: row.is_redacted, namesResolvedAt: toDateOrNull(row.names_resolved_at),
    createdAt: toDate(row.created_at), receivedAt: toDate(row.received_at),
  }
}

/** What orders of auto-sends are sealed with. */
export function orderContext(id: LeadId): string {
  return `lead-auto-send:${id}`
}

/** A lead as an import knows it; without source: only a notice of it. */
export type KnownRow = Pick<LeadRow, 'leadgen_id'> & (Pick<LeadRow, 'source' | 'received_at'> | { readonly source: null })

export function toKnown(row: KnownRow): Pick<Lead, 'source' | 'receivedAt'> | null {
  return row.source === null ? null : { source: row.source, receivedAt: toDate(row.received_at) }
}

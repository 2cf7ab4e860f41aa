import { beginningOf } from '../../domain/characters.ts'
import type { ConversationId, MessageId, NumberId, TenantId } from '../../domain/ids.ts'
import { SERVICE_WINDOW_MS } from '../../domain/limits.ts'
import type { Conversation, ConversationType, Message, MessageContent, MessageDirection, MessageStatus, MessageType } from '../../domain/message.ts'
import type { ProviderKind } from '../../domain/number.ts'
import type { ListedMessage } from '../../ports/stores/message-store.ts'
import { toDate, toDateOrNull } from '../engine/rows.ts'
import { isWithheld } from '../numbers/retention.ts'
import { referralColumns, toReferral, type ReferralRow } from '../referrals/row.ts'

/** Our choice: characters of a conversation's preview. */
const PREVIEW_LENGTH = 100

/** A row of `messages` as reads select it. */
export interface MessageRow {
  readonly id: MessageId
  readonly tenant_id: TenantId
  readonly number_id: NumberId
  readonly provider: ProviderKind
  readonly conversation_id: ConversationId
  readonly direction: MessageDirection
  readonly status: MessageStatus
  readonly type: MessageType
  readonly content: string | null
  readonly from_address: string | null
  readonly from_name: string | null
  readonly to_address: string | null
  readonly external_id: string | null
  readonly quoted_id: string | null
  readonly correlation_id: string | null
  readonly template: string | null
  readonly created_at: string
  readonly sent_at: string | null
  readonly delivered_at: string | null
  readonly read_at: string | null
  readonly failed_at: string | null
  readonly edited_at: string | null
  readonly revoked_at: string | null
  readonly error_code: string | null
  readonly error_message: string | null
}

export interface ListedRow extends MessageRow, ReferralRow {
  readonly group_id: string | null
  readonly group_name: string | null
  readonly unread_count: number | null
}

/** What a read of messages `m` of numbers `n` selects: what is withheld does not leave the database. */
export function messageColumns(now: string): string {
  const kept = ['content', 'from_address', 'from_name', 'to_address']
    .map((column) => `case when not ${isWithheld('m.created_at', now)} then m.${column} end as ${column}`)
  return `m.id, m.tenant_id, m.number_id, m.provider, m.conversation_id, m.direction, m.status, m.type, ${kept.join(', ')}, m.external_id,
    m.quoted_id, m.correlation_id, m.template, m.created_at, m.sent_at, m.delivered_at, m.read_at, m.failed_at, m.edited_at, m.revoked_at, m.error_code, m.error_message`
}

/** What lists add of the conversation `c`, and of the referral `r` with its ad `a`. */
export function listedColumns(now: string): string {
  const isShown = `c.type = 'GROUP' and not ${isWithheld('m.created_at', now)}`
  return `${messageColumns(now)}, case when ${isShown} then c.peer end as group_id, case when ${isShown} then c.peer_name end as group_name, c.unread_count, ${referralColumns(now)}`
}

export function toMessage(row: MessageRow): Message {
  return {
    id: row.id, tenantId: row.tenant_id, numberId: row.number_id, provider: row.provider, conversationId: row.conversation_id,
    direction: row.direction, status: row.status, type: row.type,
    content: row.content === null ? null : JSON.parse(row.content) as MessageContent,
    from: row.from_address, fromName: row.from_name, to: row.to_address, externalMessageId: row.external_id,
    quotedMessageId: row.quoted_id, correlationId: row.correlation_id, template: row.template,
    // Whatever is kept has a content, an empty one at least.
    isRedacted: row.content === null,
    createdAt: toDate(row.created_at), sentAt: toDateOrNull(row.sent_at), deliveredAt: toDateOrNull(row.delivered_at),
    readAt: toDateOrNull(row.read_at), failedAt: toDateOrNull(row.failed_at),
    editedAt: toDateOrNull(row.edited_at), revokedAt: toDateOrNull(row.revoked_at), errorCode: row.error_code, errorMessage: row.error_message,
  }
}

export function toListed(row: ListedRow): ListedMessage {
  return { ...toMessage(row), referral: toReferral(row), groupId: row.group_id, groupName: row.group_name, conversationUnreadCount: row.unread_count ?? 0 }
}

export interface ConversationRow {
  readonly id: ConversationId
  readonly type: ConversationType
  readonly provider: ProviderKind
  readonly peer: string | null
  readonly peer_name: string | null
  readonly unread_count: number
  readonly last_message_at: string
  readonly last_inbound_at: string | null
  /** Of the last message. */
  readonly content: string | null
  readonly created_at: string
}

/** What a read of conversations `c` of numbers `n` with their last message `m` selects. */
export function conversationColumns(now: string): string {
  const isShown = `not ${isWithheld('c.last_message_at', now)}`
  return `c.id, c.type, n.provider, case when ${isShown} then c.peer end as peer, case when ${isShown} then c.peer_name end as peer_name, c.unread_count,
    c.last_message_at, c.last_inbound_at, case when ${isShown} and not ${isWithheld('m.created_at', now)} then m.content end as content, c.created_at`
}

export function toConversation(row: ConversationRow): Conversation {
  const content = row.content === null ? null : JSON.parse(row.content) as MessageContent
  // A reaction says nothing but its emoji.
  const text = content?.text ?? content?.reaction?.emoji ?? null
  const lastInboundAt = toDateOrNull(row.last_inbound_at)
  const hasWindow = row.provider === 'OFFICIAL' && row.type === 'DIRECT' && lastInboundAt !== null
  return {
    id: row.id, type: row.type, peer: row.peer, peerName: row.peer_name, unreadCount: row.unread_count,
    lastMessageAt: toDate(row.last_message_at), lastMessagePreview: text === null ? null : beginningOf(text, PREVIEW_LENGTH),
    windowExpiresAt: hasWindow ? new Date(lastInboundAt.getTime() + SERVICE_WINDOW_MS) : null,
    createdAt: toDate(row.created_at),
  }
}

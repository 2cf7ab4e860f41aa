import type { MessageId, NumberId } from '../../domain/ids.ts'
import type { InboxConversation, InboxMessage } from '../../ports/stores/inbox-store.ts'
import { toDateOrNull } from '../engine/rows.ts'
import {
  conversationColumns,
  LISTED_JOINS,
  listedColumns,
  toConversation,
  toListed,
  type ConversationRow,
  type ListedRow,
  type MessageRow,
} from '../messages/row.ts'
import { contentOf } from '../messages/content.ts'
import { messagesQuoted } from '../message-keys/ids.ts'
import { isWithheld } from '../numbers/retention.ts'

/** A conversation with its last message; `last_*` are null once that message is gone. */
export type InboxConversationRow = ConversationRow & {
  readonly number_id: NumberId
  readonly last_message_id: MessageId
  readonly marked_unread: boolean
  readonly archived_at: string | null
} & { readonly [Column in 'direction' | 'status' | 'type' as `last_${Column}`]: MessageRow[Column] | null }

/** What a read of conversations `c` selects; see JOIN_LAST. */
export function inboxConversationColumns(now: string): string {
  return `${conversationColumns(now)}, c.number_id, c.last_message_id, c.marked_unread, c.archived_at, m.direction as last_direction, m.status as last_status, m.type as last_type`
}

/** The number of conversations `c`, and their last message. */
export const JOIN_LAST =
  'join channel_numbers n on n.id = c.number_id left join messages m on m.id = c.last_message_id and m.number_id = c.number_id'

export function toInboxConversation(row: InboxConversationRow): InboxConversation {
  return {
    ...toConversation(row),
    numberId: row.number_id,
    provider: row.provider,
    lastMessageDirection: row.last_direction,
    lastMessageStatus: row.last_status,
    lastMessageType: row.last_type,
    isMarkedUnread: row.marked_unread,
    archivedAt: toDateOrNull(row.archived_at),
  }
}

/**
 * A message with what it quotes. `quoted_*` are null when the number does not have the quoted message; the content is
 * JSON.
 */
export type InboxMessageRow = ListedRow & {
  readonly quoted_message_id: MessageId | null
  readonly quoted_content: string | null
} & { readonly [Column in 'direction' | 'type' as `quoted_${Column}`]: MessageRow[Column] }

/** What a read of messages `m` selects; see JOIN_MESSAGE. */
export function inboxMessageColumns(now: string): string {
  return `${listedColumns(now)}, q.id as quoted_message_id, q.direction as quoted_direction, q.type as quoted_type,
    case when not ${isWithheld('q.created_at', now)} then q.content end as quoted_content`
}

/** What a message shows beside its own row: its number, conversation, referral, and the message it quotes. */
export const JOIN_MESSAGE = `${LISTED_JOINS}
  left join lateral (select * from (${messagesQuoted('q.*', 'm')}) quoted limit 1) q on true`

export function toInboxMessage(row: InboxMessageRow): InboxMessage {
  const text = row.quoted_content === null ? null : contentOf(row.quoted_content).text
  return {
    ...toListed(row),
    quoted:
      row.quoted_message_id === null
        ? null
        : { id: row.quoted_message_id, direction: row.quoted_direction, type: row.quoted_type, text },
  }
}

import { beginningOf } from '../../domain/characters.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import type { Conversation, Message } from '../../domain/message.ts'
import type { ProviderKind } from '../../domain/number.ts'
import type { ListedMessage } from '../../ports/stores/message-store.ts'
import { toDateOrNull } from '../engine/rows.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { isWithheld } from '../numbers/retention.ts'
import { JOIN_AD, referralColumns, toReferral, type ReferralRow } from '../referrals/sql.ts'
import { ledTo } from '../conversations/aliases.ts'
import { ConversationEntity } from '../conversations/entity.ts'
import { contentOf, wholeContent } from './content.ts'
import { MessageEntity } from './entity.ts'
import { shownId } from '../message-keys/ids.ts'
import { identitiesOf, identitiesSql } from '../conversations/identities.ts'

/** Our choice: characters of a conversation's preview. */
const PREVIEW_LENGTH = 100

/** Columns of a message as reads select them. */
const SHOWN = rowsOf(MessageEntity).without(
  'position',
  'conversationType',
  'externalForm',
  'quotedKey',
  'templateId',
  'flowId',
  'flowToken',
  'isUnread',
  'batchId',
  'outgoing',
  'dueAt',
  'notBefore',
  'deliverUntil',
  'heldSince',
  'attempts',
  'attemptedAt',
  'errorDetails',
  'upstreamCode',
  'priceCategory',
  'trace',
)
const WITHHELD = ['content', 'fromAddress', 'fromName', 'toAddress'] as const
const NEVER_WITHHELD = `${SHOWN.without(...WITHHELD, 'conversationId', 'externalId').list('m')}, ${ledTo('m.conversation_id')} as conversation_id,
    ${shownId('m')} as external_id`
const readShown = SHOWN.reader({
  fromAddress: 'from',
  toAddress: 'to',
  externalId: 'externalMessageId',
  quotedId: 'quotedMessageId',
})

export type MessageRow = RowIn<typeof SHOWN>
export type ListedRow = MessageRow
  & ReferralRow & {
    readonly group_id: string | null
    readonly group_name: string | null
    readonly unread_count: number | null
  }

/** What a read of messages `m` of numbers `n` selects. Withheld values do not leave the database. */
export function messageColumns(now: string): string {
  const kept = WITHHELD.map(
    (name) =>
      `case when not ${isWithheld('m.created_at', now)} then m.${SHOWN.columns[name]} end as ${SHOWN.columns[name]}`,
  )
  return `${NEVER_WITHHELD}, ${kept.join(', ')}`
}

/**
 * What messages `m` show beside their rows: their number `n`, their conversation `c`, their referral `r` with its ad
 * `a`.
 */
export const LISTED_JOINS = `join channel_numbers n on n.id = m.number_id left join conversations c on c.id = ${ledTo('m.conversation_id')}
  left join referrals r on r.message_id = m.id ${JOIN_AD}`

/** What lists add of the conversation `c`, and of the referral `r` with its ad `a`; see LISTED_JOINS. */
export function listedColumns(now: string): string {
  const isShown = `c.type = 'GROUP' and not ${isWithheld('m.created_at', now)}`
  return `${messageColumns(now)}, case when ${isShown} then c.peer end as group_id, case when ${isShown} then c.peer_name end as group_name, c.unread_count, ${referralColumns(now)}`
}

export function toMessage(row: MessageRow): Message {
  // A message that is kept has a content, if only an empty one.
  const shown = readShown(row)
  return { ...shown, content: shown.content && wholeContent(shown.content), isRedacted: shown.content === null }
}

export function toListed(row: ListedRow): ListedMessage {
  return {
    ...toMessage(row),
    referral: toReferral(row),
    groupId: row.group_id,
    groupName: row.group_name,
    conversationUnreadCount: row.unread_count ?? 0,
  }
}

/** Columns of a conversation as reads select them. */
const CONVERSATION = rowsOf(ConversationEntity).without(
  'tenantId',
  'numberId',
  'lastMessageId',
  'lastInboundAt',
  'markedUnread',
  'archivedAt',
)

/** A conversation; `content` is that of its last message, as JSON. */
export type ConversationRow = RowIn<typeof CONVERSATION> & {
  readonly last_inbound_at: string | null
  readonly provider: ProviderKind
  readonly content: string | null
  /** As `identitiesSql` makes it. */
  readonly identities: string | null
}

/** What a read of conversations `c` of numbers `n` with their last message `m` selects. */
export function conversationColumns(now: string): string {
  const isShown = `not ${isWithheld('c.last_message_at', now)}`
  return `c.id, c.type, n.provider, case when ${isShown} then c.peer end as peer, case when ${isShown} then c.peer_name end as peer_name, c.unread_count,
    ${identitiesSql(isShown)} as identities, c.last_message_at, c.last_inbound_at, case when ${isShown} and not ${isWithheld('m.created_at', now)} then m.content end as content, c.created_at`
}

export function toConversation(row: ConversationRow): Conversation {
  const content = row.content === null ? null : contentOf(row.content)
  // A reaction has no text but its emoji.
  const text = content?.text ?? content?.reaction?.emoji ?? null
  const lastInboundAt = toDateOrNull(row.last_inbound_at)
  const windowMs = row.type === 'DIRECT' ? kindOf(row).windowMs : null
  return {
    ...CONVERSATION.read(row),
    identities: row.type === 'DIRECT' ? identitiesOf(row) : [],
    lastMessagePreview: text === null ? null : beginningOf(text, PREVIEW_LENGTH),
    windowExpiresAt: windowMs === null || lastInboundAt === null ? null : new Date(lastInboundAt.getTime() + windowMs),
  }
}

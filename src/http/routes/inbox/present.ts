import { canSend } from '../../../domain/can-send.ts'
import { keptOrderIn } from '../../../domain/kept-order.ts'
import type { ButtonBody } from '../../../domain/send-body.ts'
import type { FedChange } from '../../../ports/inbox-feed.ts'
import type { InboxConversation, InboxMessage, QuotedMessage } from '../../../ports/stores/inbox-store.ts'
import type { NewMessage } from '../../../ports/stores/message-store.ts'
import { presentConversation } from '../conversations/present.ts'
import { presentItem } from '../messages/present.ts'

/** A conversation of an inbox ([embeds.inbox-routes.3]). */
export function presentInboxConversation(conversation: InboxConversation, nowMs: number) {
  const { numberId, provider, lastMessageDirection, lastMessageStatus, lastMessageType, isMarkedUnread, archivedAt } =
    conversation
  return {
    ...presentConversation(conversation),
    numberId,
    provider,
    lastMessageDirection,
    lastMessageStatus,
    lastMessageType,
    canSend: canSend(conversation, nowMs),
    isMarkedUnread,
    archivedAt: archivedAt?.toISOString() ?? null,
  }
}

/** A message of an inbox ([embeds.inbox-routes.6]). */
export function presentInboxMessage(message: InboxMessage) {
  const { errorCode, errorMessage, correlationId, quoted } = message
  const item = presentItem(message)
  return {
    ...item,
    ...presentParts(message),
    numberId: message.numberId,
    media: item.media && presentFile(message, item.media),
    errorCode,
    errorMessage,
    correlationId,
    quoted: quoted && presentQuoted(quoted),
  }
}

/**
 * Header, footer, buttons and cards of a sent message, as labels; null where it had none. A list has its own header and
 * footer. The picture of a card is read by the card's position.
 */
function presentParts({ content }: InboxMessage) {
  const { header, footer, buttons, carousel, list } = (content && keptOrderIn(content)) || {}
  return {
    header: header ?? list?.header ?? null,
    footer: footer ?? list?.footer ?? null,
    buttons: buttons?.map(presentButton) ?? null,
    cards:
      carousel?.cards.map((card) => ({ text: card.text, buttons: card.buttons?.map(presentButton) ?? [] })) ?? null,
  }
}

function presentButton({ type, text, url }: ButtonBody) {
  return { type, text, url: type === 'URL' ? (url ?? null) : null }
}

function presentFile({ content }: InboxMessage, shown: NonNullable<ReturnType<typeof presentItem>['media']>) {
  const { sizeBytes = null, durationMs = null, waveform = null, isVoice = false } = content?.media ?? {}
  return { ...shown, sizeBytes, durationMs, waveform, isVoice }
}

function presentQuoted({ id, direction, type, text }: QuotedMessage) {
  return { id, direction, type, content: text }
}

/** The answer to a send ([embeds.inbox-routes.7]). */
export function presentSent(message: NewMessage) {
  return {
    id: message.id,
    correlationId: message.correlationId,
    status: 'QUEUED',
    createdAt: message.createdAt.toISOString(),
  }
}

/** A change as an event of the stream, name and data; null when the stream makes its own event of it. */
export function presentChange(
  { change, numberId }: FedChange,
  nowMs: number,
): { readonly event: string; readonly data: object } | null {
  switch (change.type) {
    case 'message':
      return { event: 'message', data: { message: presentInboxMessage(change.message) } }
    case 'status': {
      const { id, conversationId, status, errorCode, errorMessage, externalMessageId, sentAt } = change.message
      return {
        event: 'status',
        data: {
          id,
          conversationId,
          status,
          errorCode,
          errorMessage,
          externalMessageId,
          sentAt: sentAt?.toISOString() ?? null,
        },
      }
    }
    case 'conversation':
      return { event: 'conversation', data: { item: presentInboxConversation(change.conversation, nowMs) } }
    case 'number':
      return { event: 'number', data: { id: numberId, state: change.state } }
    case 'typing': {
      const { conversationId, state } = change
      return { event: 'typing', data: { conversationId, state } }
    }
    case 'resync':
      return { event: 'resync', data: {} }
    case 'unread':
      return null
  }
}

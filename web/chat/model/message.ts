/** Messages and conversations as the inbox reads them ([embeds.inbox-routes.3] [embeds.inbox-routes.6]). */

import type { ProviderKind } from '../../../src/domain/number.ts'

export type MessageStatus = 'QUEUED' | 'SENT' | 'DELIVERED' | 'READ' | 'FAILED' | 'CANCELED' | 'RECEIVED'
export type Direction = 'INBOUND' | 'OUTBOUND'
export type Provider = ProviderKind

export interface Media {
  readonly id: string | null
  readonly url: string | null
  readonly mimeType: string | null
  readonly fileName: string | null
  readonly sizeBytes: number | null
  readonly durationMs: number | null
  /** 64 peaks, 0 to 100; null when the file is no voice note or has none. */
  readonly waveform: readonly number[] | null
  readonly isVoice: boolean
}

export interface Quoted {
  readonly id: string
  readonly direction: Direction
  readonly type: string
  readonly content: string | null
}

/** A button below a sent text; only type URL has `url`. */
export interface SentButton {
  readonly type: string
  readonly text: string
  readonly url: string | null
}

export interface SentCard {
  readonly text: string
  readonly buttons: readonly SentButton[]
}

/** The ad or post that led a person to a conversation. */
export interface Referral {
  readonly sourceId: string | null
  readonly sourceType: 'ad' | 'post' | null
  readonly sourceUrl: string | null
  readonly headline: string | null
  readonly adName: string | null
  readonly campaignName: string | null
}

export interface Message {
  readonly id: string
  readonly conversationId: string
  readonly direction: Direction
  readonly type: string
  readonly content: string | null
  readonly from: string | null
  readonly to: string | null
  readonly fromName: string | null
  readonly externalMessageId: string | null
  readonly status: MessageStatus
  readonly media: Media | null
  readonly reaction: { readonly messageId: string; readonly emoji: string | null } | null
  readonly location: Readonly<Record<string, unknown>> | null
  readonly contacts: readonly unknown[] | null
  readonly interactive: Readonly<Record<string, unknown>> | null
  /** Parts of a sent template; pictures of cards are read by the index of the card. Older services leave them out. */
  readonly header?: string | null
  readonly footer?: string | null
  readonly buttons?: readonly SentButton[] | null
  readonly cards?: readonly SentCard[] | null
  readonly upstream?: Readonly<Record<string, unknown>> | null
  /** Older services leave it out. */
  readonly referral?: Referral | null
  readonly editedAt: string | null
  readonly revokedAt: string | null
  readonly redacted: boolean
  readonly createdAt: string
  /** When it went out; null before, and absent of messages of older services. */
  readonly sentAt?: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly correlationId: string | null
  readonly quoted: Quoted | null
}

export interface CanSend {
  readonly free: boolean
  readonly reason: 'WINDOW_CLOSED' | 'NEWSLETTER' | null
}

export interface Conversation {
  readonly id: string
  readonly type: 'DIRECT' | 'GROUP' | 'NEWSLETTER'
  readonly from: string | null
  readonly fromName: string | null
  /** Everything that the person is known by, `from` included. Older services leave it out. */
  readonly identities?: readonly { readonly kind: 'PHONE' | 'USER_ID' | 'LID'; readonly value: string }[]
  readonly unreadCount: number
  readonly lastMessageAt: string | null
  readonly lastMessagePreview: string | null
  readonly windowExpiresAt: string | null
  readonly createdAt: string
  readonly numberId: string
  readonly provider: Provider
  readonly lastMessageDirection: Direction | null
  readonly lastMessageStatus: MessageStatus | null
  readonly lastMessageType: string | null
  readonly canSend: CanSend
  /** Somebody marked it as unread, and it was not read since. */
  readonly isMarkedUnread: boolean
  /** Null while it is not archived. */
  readonly archivedAt: string | null
}

export interface ChannelNumber {
  readonly id: string
  readonly name: string
  readonly number: string
  readonly provider: Provider
  readonly state: 'OPEN' | 'CONNECTING' | 'CLOSE'
  /** A free text may begin a conversation; otherwise only a template may. */
  readonly startsFree: boolean
  /** What it can do beside sending ([embeds.changes.3]). Older services leave it out, or `typing` alone. */
  readonly can?: { readonly edits: boolean; readonly revocations: boolean; readonly typing?: boolean }
}

/** The order of statuses; a message never goes back in it ([messages.status.2]). */
const PROGRESS: Readonly<Record<MessageStatus, number>> = {
  QUEUED: 0,
  SENT: 1,
  DELIVERED: 2,
  READ: 3,
  FAILED: 4,
  CANCELED: 4,
  RECEIVED: 4,
}

/** The later of two statuses of one message, in whichever order they were told. */
export function laterStatus(a: MessageStatus, b: MessageStatus): MessageStatus {
  return PROGRESS[b] > PROGRESS[a] ? b : a
}

/** Orders by time, then by id, oldest first: ids within one millisecond ascend. */
export function inOrder(a: Message, b: Message): number {
  // Times in one format sort as texts, which sorts ten thousand messages in a moment.
  return compare(a.createdAt, b.createdAt) || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

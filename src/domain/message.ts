import type { Identity } from './identity.ts'
import type { ConversationId, FileId, MessageId, NumberId, TenantId } from './ids.ts'
import type { ProviderKind } from './number.ts'

/** States of a message ([messages.status.1]). */
export const MESSAGE_STATUSES = ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELED', 'RECEIVED'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** The `type` of an item ([messages.item.2]). */
export const MESSAGE_TYPES = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'interactive',
  'button',
  'reaction',
  'carousel',
  'template',
  'flow',
  'unsupported',
  'system',
] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

export type MessageDirection = 'INBOUND' | 'OUTBOUND'

export const CONVERSATION_TYPES = ['DIRECT', 'GROUP', 'NEWSLETTER'] as const
export type ConversationType = (typeof CONVERSATION_TYPES)[number]

/** Statuses that upstream reports of a message that it took. */
export type ReportedStatus = 'SENT' | 'DELIVERED' | 'READ' | 'FAILED'

/**
 * The one table of legal moves of an outbound message ([messages.status.2]). Steps may be left out, since upstream
 * reports them in any order. Our choice: a delivered message no longer fails, and FAILED is final.
 */
const SOURCES = {
  SENT: ['QUEUED'],
  DELIVERED: ['QUEUED', 'SENT'],
  READ: ['QUEUED', 'SENT', 'DELIVERED'],
  FAILED: ['QUEUED', 'SENT'],
  CANCELED: ['QUEUED'],
} as const satisfies Partial<Record<MessageStatus, readonly MessageStatus[]>>

/** Statuses from which `to` may be reached: a stored move compares with them. */
export function messageSourcesOf(to: keyof typeof SOURCES): readonly MessageStatus[] {
  return SOURCES[to]
}

/**
 * Why a message failed; the list is closed, so that clients can branch on it ([messages.failures.1] to
 * [messages.failures.13], [templates.send-failures.1] to [templates.send-failures.12]).
 */
export const MESSAGE_ERROR_CODES = [
  'INVALID_DESTINATION',
  'CHANNEL_NOT_EXIST',
  'OFFICIAL_OUTSIDE_24H_WINDOW',
  'OFFICIAL_TEMPLATE_NOT_APPROVED',
  'OFFICIAL_MEDIA_UPLOAD_ERROR',
  'OFFICIAL_TEMPLATE_PAUSED',
  'OFFICIAL_TEMPLATE_DISABLED',
  'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH',
  'OFFICIAL_TEMPLATE_TEXT_TOO_LONG',
  'OFFICIAL_TEMPLATE_POLICY',
  'OFFICIAL_BUSINESS_NOT_VERIFIED',
  'OFFICIAL_PAYMENT_REQUIRED',
  'OFFICIAL_DISPLAY_NAME_NOT_APPROVED',
  'OFFICIAL_MARKETING_LIMITED',
  'OFFICIAL_FLOW_BLOCKED',
  'OFFICIAL_FLOW_THROTTLED',
  'OFFICIAL_MEDIA_TOO_LARGE',
  'OFFICIAL_RATE_LIMITED',
  'OFFICIAL_ERROR',
  'MEDIA_DOWNLOAD_FAILED',
  'MEDIA_TOO_LARGE',
  'MEDIA_UNSUPPORTED',
  'EXPIRED_AFTER_ATTEMPTS',
  'NEVER_ATTEMPTED_MAX_AGE_EXCEEDED',
  'DELIVERY_TIMEOUT',
  'NUMBER_NOT_FOUND_REMOVED',
  'INTERNAL_ERROR',
] as const
export type MessageErrorCode = (typeof MESSAGE_ERROR_CODES)[number]

export interface MessageFailure {
  readonly code: MessageErrorCode
  readonly message: string
  /** Upstream's reason in its own words: `error_data.details` of message.failed. */
  readonly details: string | null
  readonly upstreamCode: number | string | null
}

/** Where a message goes. `address` is digits, `...@g.us` or `...@newsletter`. */
export interface Destination {
  readonly type: ConversationType
  readonly address: string
}

/** What a send may send a file as: its `mediaType` ([media.sending.1]). */
export const MEDIA_KINDS = ['image', 'video', 'document', 'audio', 'voice', 'sticker'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/**
 * Where the bytes of a media come from: an address that the caller gave, or a kept file of bytes that came with the
 * request.
 */
export type MediaSource = { readonly url: string } | { readonly fileId: FileId }

export const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE'] as const

export type MessageButton =
  /** `id` comes back with the reply. */
  | { readonly type: 'QUICK_REPLY'; readonly text: string; readonly id: string }
  | { readonly type: 'URL'; readonly text: string; readonly url: string }
  | { readonly type: 'PHONE_NUMBER'; readonly text: string; readonly phoneNumber: string }
  | { readonly type: 'COPY_CODE'; readonly text: string; readonly code: string }

/** A media of a message as reads show it. */
export interface MessageMedia {
  /** Upstream's id; set on OFFICIAL. */
  readonly id: string | null
  /** Where it can be downloaded until it expires; set on UNOFFICIAL. */
  readonly url: string | null
  readonly mimeType: string | null
  readonly fileName: string | null
  /**
   * The file with the bytes: for bytes that came with a send, and for received media whose address does not name it.
   */
  readonly fileId?: FileId
  /** The facts of the file that are known; media stored by earlier versions has none of them. */
  readonly sizeBytes?: number
  readonly isVoice?: boolean
  readonly durationMs?: number
  /** The peaks of a voice note, 64 of 0 to 100. */
  readonly waveform?: readonly number[]
}

/** What a message says, in either direction. Parts that a type does not have are null. */
export interface MessageContent {
  /** Body, caption, or what a button said. */
  readonly text: string | null
  readonly media: MessageMedia | null
  readonly location: Readonly<Record<string, unknown>> | null
  readonly contacts: readonly unknown[] | null
  /** `emoji` is null when the reaction was taken back. `messageId` is the upstream id of the message reacted to. */
  readonly reaction: { readonly messageId: string; readonly emoji: string | null } | null
  /** A reply to buttons, a list or a Flow, as upstream told it. */
  readonly interactive: Readonly<Record<string, unknown>> | null
  /**
   * What upstream told in place of a message, for the types `unsupported` and `system`. Absent in messages stored by
   * earlier versions.
   */
  readonly upstream?: Readonly<Record<string, unknown>> | null
  /**
   * The part of a sent message's order that its other fields do not tell, in the form of `KeptOrder`. No read shows it.
   */
  readonly order?: Readonly<Record<string, unknown>>
}

export const NO_CONTENT: MessageContent = {
  text: null,
  media: null,
  location: null,
  contacts: null,
  reaction: null,
  interactive: null,
}

/** A message as stored. */
export interface Message {
  readonly id: MessageId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly provider: ProviderKind
  readonly conversationId: ConversationId
  readonly direction: MessageDirection
  readonly status: MessageStatus
  readonly type: MessageType
  /** Null when privacy withholds it. */
  readonly content: MessageContent | null
  /** Digits, or upstream's id of a user who hides the number; null when withheld. */
  readonly from: string | null
  readonly fromName: string | null
  /** Digits, or the id of a group or channel; null when withheld. */
  readonly to: string | null
  readonly externalMessageId: string | null
  /** Upstream id of the message quoted. */
  readonly quotedMessageId: string | null
  readonly correlationId: string | null
  /** Name of the template that the message was made of. */
  readonly template: string | null
  readonly isRedacted: boolean
  /** When it happened: inbound by the provider's clock, outbound when it was accepted. */
  readonly createdAt: Date
  readonly sentAt: Date | null
  readonly deliveredAt: Date | null
  readonly readAt: Date | null
  readonly failedAt: Date | null
  /** When its writer last changed what it says; the content is what it says now. */
  readonly editedAt: Date | null
  /** When its writer took it back; the content is empty from then on. */
  readonly revokedAt: Date | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
}

export interface Conversation {
  readonly id: ConversationId
  readonly type: ConversationType
  /** Digits, upstream's id of a user who hides the number, or the id of a group or channel; null when withheld. */
  readonly peer: string | null
  /** All that the peer of a DIRECT conversation is known by, `peer` first; empty when withheld. */
  readonly identities: readonly Identity[]
  readonly peerName: string | null
  readonly unreadCount: number
  readonly lastMessageAt: Date | null
  /** Beginning of the last message, or the emoji of a reaction; null when withheld or without text. */
  readonly lastMessagePreview: string | null
  /** On OFFICIAL 24 h after the peer's last message; null when it never wrote, and on UNOFFICIAL. */
  readonly windowExpiresAt: Date | null
  readonly createdAt: Date
}

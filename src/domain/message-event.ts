import type { EventName, NewEvent } from './events.ts'
import type { MessageId, NumberId } from './ids.ts'
import type { MessageContent, MessageType, ReportedStatus } from './message.ts'
import { toE164 } from './phone.ts'

/** A message that came in, with what its event tells ([events.data.1]). */
export interface ToldMessage {
  readonly id: MessageId
  readonly numberId: NumberId
  readonly externalMessageId: string
  readonly from: string
  readonly fromName: string | null
  /** Digits of the number; null on stories, which are addressed to nobody. */
  readonly to: string | null
  /** True when the number itself wrote it, on another device. */
  readonly isFromMe: boolean
  readonly type: MessageType
  readonly content: MessageContent
  readonly groupId: string | null
  readonly groupName: string | null
  readonly quotedMessageId: string | null
  /** When it happened per the provider. */
  readonly at: Date
}

/** Statuses that upstream may report, each with the event that tells of it. */
export const STATUS_EVENTS = {
  SENT: 'message.sent',
  DELIVERED: 'message.delivered',
  READ: 'message.read',
  FAILED: 'message.failed',
} as const satisfies Readonly<Record<ReportedStatus, EventName>>

const MEDIA_TYPES: ReadonlySet<MessageType> = new Set<MessageType>(['image', 'video', 'audio', 'document', 'sticker'])

/** Types that `mediaType` does not name ([events.data.9]). */
const PLAIN_TYPES: ReadonlySet<MessageType> = new Set<MessageType>([
  'text',
  'carousel',
  'template',
  'flow',
  'unsupported',
  'system',
])

/**
 * Shows digits as E.164 with `+` ([rest.phones.2]); ids of users who hide their number, groups and channels stay as
 * they are.
 */
export function shownAddress(address: string): string {
  return /^\d+$/.test(address) ? toE164(address) : address
}

function mediaFields({ type, content }: ToldMessage): Record<string, unknown> {
  const { media } = content
  const hasMedia = MEDIA_TYPES.has(type)
  return {
    mediaType: PLAIN_TYPES.has(type) ? null : type,
    mediaLink: media?.url ?? null,
    mediaId: media?.id ?? null,
    mediaMimeType: media?.mimeType ?? null,
    mediaCaption: hasMedia ? content.text : null,
    mediaFilename: media?.fileName ?? null,
    mediaDownloadHint: hintOf(content),
  }
}

/** Says how to get at the bytes: on OFFICIAL within minutes ([media.inbound.8]). */
function hintOf({ media }: MessageContent): string | null {
  if (!media) return null
  if (media.id !== null) return `GET /v1/media/${media.id}?phoneNumberId=<upstream phone number id>`
  return media.url === null ? 'The media could not be fetched from the device' : 'GET mediaLink before it expires'
}

/** Makes message.received, .group, .newsletter, .stories or .reply. */
export function messageEvent(event: EventName, told: ToldMessage): NewEvent {
  const {
    id,
    numberId,
    externalMessageId,
    from,
    fromName,
    to,
    isFromMe,
    type,
    content,
    groupId,
    groupName,
    quotedMessageId,
    at,
  } = told
  return {
    event,
    data: {
      id,
      messageId: externalMessageId,
      channelNumberId: numberId,
      from: shownAddress(from),
      ...(to === null ? {} : { to: shownAddress(to) }),
      fromMe: isFromMe,
      participantName: fromName,
      type,
      content: content.text,
      ...mediaFields(told),
      location: content.location,
      contacts: content.contacts,
      reaction: content.reaction,
      interactive: content.interactive,
      groupId,
      groupName,
      ...(quotedMessageId === null ? {} : { quotedMessageId }),
      createdAt: at.toISOString(),
    },
  }
}

/** A message that was taken back. */
export interface TakenBack {
  readonly id: MessageId
  readonly numberId: NumberId
  readonly externalMessageId: string
  readonly correlationId: string | null
  /** True when the number itself wrote it. */
  readonly isFromMe: boolean
  /** When it was taken back. */
  readonly at: Date
}

/** Makes message.revoked ([events.data.12]). Our choice: it says nothing of what the message said, nor of people. */
export function revokedEvent({ id, numberId, externalMessageId, correlationId, isFromMe, at }: TakenBack): NewEvent {
  return {
    event: 'message.revoked',
    data: {
      id,
      messageId: externalMessageId,
      channelNumberId: numberId,
      correlationId,
      fromMe: isFromMe,
      createdAt: at.toISOString(),
    },
  }
}

/**
 * Makes message.sent for a message that the number's owner wrote on another device ([engines.bridge.4]). Our choice: it
 * has the fields of a message that came in, with `fromMe` true, and the fields of message.sent, for those who read only
 * the latter.
 */
export function sentElsewhereEvent(told: ToldMessage, peer: string): NewEvent {
  const { event, data } = messageEvent('message.sent', told)
  return { event, data: { ...data, internalMessageId: told.id, correlationId: null, destination: shownAddress(peer) } }
}

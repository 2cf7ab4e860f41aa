import { z } from 'zod'
import { TYPING_STATES } from '../../../domain/device-ops.ts'
import { MESSAGE_STATUSES, MESSAGE_TYPES } from '../../../domain/message.ts'
import { PROVIDER_KINDS } from '../../../domain/number.ts'
import { phoneDigits } from '../../../domain/phone-reading.ts'
import { SOURCE_TYPES } from '../../../domain/referral.ts'
import { LIST_SENT_AS_TEXT } from '../../../ports/stores/message-store.ts'
import { isInOrder, NOT_IN_ORDER, rangeFields } from '../date-range.ts'
import { isWithinReach, OUT_OF_REACH, pagedAnswer, pageFields } from '../paging.ts'
import { GROUP_ID } from '../groups/schema.ts'
import { contact, timestamp } from '../phone-schema.ts'

/** our choice: no id of the service or of upstream is longer, so a longer one is not looked for. */
export const MAX_MESSAGE_ID = 255
/** [messages.routes.2]: cancel takes 100; our choice: read takes as many. */
const MAX_MESSAGE_IDS = 100
export const DIRECTIONS = ['INBOUND', 'OUTBOUND'] as const

export const messageParams = z.object({
  id: z
    .string()
    .meta({ description: 'Service id, correlationId or upstream id', example: 'msg_01kb0000000000000000000000' }),
})

const messageIds = z
  .array(z.string().min(1).max(MAX_MESSAGE_ID))
  .min(1, `needs 1 to ${MAX_MESSAGE_IDS} ids`)
  .max(MAX_MESSAGE_IDS, `needs 1 to ${MAX_MESSAGE_IDS} ids`)

export const cancelInput = z.object({ messageIds }).meta({ id: 'MessageCancel' })

export const canceled = z
  .object({
    cancelled: z.array(z.string()),
    failed: z.array(z.object({ id: z.string(), reason: z.string() })),
  })
  .meta({ id: 'MessagesCanceled' })

export const readInput = z
  .object({
    conversationId: z
      .string()
      .min(1)
      .max(MAX_MESSAGE_ID)
      .nullish()
      .meta({ description: 'Reads all of a conversation' }),
    messageIds: messageIds.nullish().meta({ description: 'Service ids or upstream ids; unknown ones are passed over' }),
  })
  .refine(({ conversationId, messageIds: ids }) => !conversationId !== !ids, {
    path: ['conversationId'],
    message: 'name either conversationId or messageIds',
  })
  .meta({ id: 'MessageRead' })

export const readCount = z
  .object({ read: z.int().meta({ description: 'Messages that were unread' }) })
  .meta({ id: 'MessagesRead' })

/** Whom somebody types to: a contact, or a group of an UNOFFICIAL number. */
const typedTo = z.union([z.string().regex(GROUP_ID), contact()], {
  error: 'must be a phone number with its country code, or a group id, ...@g.us',
})

const typingState = z
  .enum(TYPING_STATES, { error: `must be one of ${TYPING_STATES.join(', ')}` })
  .meta({ description: '`paused` ends what was shown' })

/** Typing in a conversation that the path names. */
export const typingStateInput = z.object({ state: typingState })

export const typingInput = z
  .object({
    conversationId: z.string().min(1).max(MAX_MESSAGE_ID).nullish(),
    to: typedTo.nullish().meta({ description: 'A contact; on UNOFFICIAL numbers also the id of a group' }),
    state: typingState,
  })
  .refine(({ conversationId, to }) => !conversationId !== !to, {
    path: ['conversationId'],
    message: 'name either conversationId or to',
  })
  .meta({ id: 'MessageTyping' })

export const typingShown = z
  .object({
    forwarded: z
      .boolean()
      .meta({ description: 'False: one was passed on within the last second, or upstream has no word for it' }),
    read: z.boolean().meta({ description: 'OFFICIAL: the last message that came in is marked read by it' }),
  })
  .meta({ id: 'MessageTypingShown' })

const changed = {
  id: z.string(),
  externalMessageId: z.string().nullable(),
}

export const editedMessage = z
  .object({ ...changed, content: z.string(), editedAt: timestamp.nullable() })
  .meta({ id: 'MessageEdited' })

export const revokedMessage = z.object({ ...changed, revokedAt: timestamp.nullable() }).meta({ id: 'MessageRevoked' })

/** A phone number in any form, or the id of a group, a channel or a person who hides the number. */
const peer = z
  .string()
  .min(1)
  .max(128)
  .transform((text) => phoneDigits(text) ?? text)
  .meta({
    type: 'string',
    description: 'Phone number, group id or channel id, or the id of a person who hides the number',
  })

const direction = z
  .enum(DIRECTIONS, { error: `must be ${DIRECTIONS.join(' or ')}` })
  .optional()
  .meta({ description: 'Default INBOUND' })

export const historyQuery = z
  .object({
    ...rangeFields,
    ...pageFields,
    direction,
    peer: peer.optional(),
  })
  .refine(isInOrder, NOT_IN_ORDER)
  .refine(isWithinReach, OUT_OF_REACH)

export const unreadQuery = z.object(pageFields).refine(isWithinReach, OUT_OF_REACH)

export const groupQuery = z
  .object({
    ...rangeFields,
    ...pageFields,
    direction,
    groupId: z.string().min(1).max(128).optional().meta({ description: 'One group alone' }),
  })
  .refine(isInOrder, NOT_IN_ORDER)
  .refine(isWithinReach, OUT_OF_REACH)

export const acceptedMessage = z
  .object({
    id: z.string(),
    correlationId: z.string(),
    status: z.literal('QUEUED'),
    createdAt: timestamp,
    sourceNumber: z.string().meta({ description: 'Digits' }),
    notice: z
      .literal(LIST_SENT_AS_TEXT)
      .optional()
      .meta({ description: 'The list goes out as numbered text: the network of the number shows no lists' }),
  })
  .meta({ id: 'AcceptedMessage' })

const times = {
  sentAt: timestamp.nullable(),
  deliveredAt: timestamp.nullable(),
  readAt: timestamp.nullable(),
  failedAt: timestamp.nullable(),
}

export const message = z
  .object({
    id: z.string(),
    status: z.enum(MESSAGE_STATUSES),
    direction: z.enum(DIRECTIONS),
    correlationId: z.string().nullable(),
    destinationNumber: z
      .string()
      .nullable()
      .meta({ description: 'Digits, or the id of a group, a channel or a user who hides the number' }),
    type: z.enum(MESSAGE_TYPES),
    template: z.string().nullable(),
    createdAt: timestamp,
    ...times,
    externalMessageId: z.string().nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
  })
  .meta({ id: 'Message' })

export const media = z
  .object({
    provider: z.enum(PROVIDER_KINDS),
    id: z.string().nullable().meta({ description: 'OFFICIAL: for GET /v1/media/{mediaId}' }),
    url: z.string().nullable().meta({ description: 'UNOFFICIAL: where to download it until it expires' }),
    mimeType: z.string().nullable(),
    fileName: z.string().nullable(),
  })
  .meta({ id: 'MessageMedia' })

const anyObject = z.record(z.string(), z.unknown())

const told = z.string().nullable()

/** Fields of the names of an ad ([referrals.objects.2]). */
export const nameFields = {
  adName: told,
  adsetId: told,
  adsetName: told,
  campaignId: told,
  campaignName: told,
  namesResolvedAt: timestamp
    .nullable()
    .meta({ description: 'Null: not known yet. Else final: the names, or none, for the ad account is not shared' }),
}

const referral = z
  .object({
    sourceId: told.meta({ description: 'Of the ad or post, digits' }),
    sourceType: z.enum(SOURCE_TYPES).nullable(),
    sourceUrl: told,
    headline: told,
    body: told,
    mediaType: told.meta({ description: '`image` or `video`' }),
    imageUrl: told,
    videoUrl: told,
    thumbnailUrl: told,
    welcomeMessage: told,
    ctwaClid: told.meta({ description: 'Of this one click; null where privacy withholds it' }),
    ...nameFields,
  })
  .meta({ id: 'MessageReferral' })

export const item = z
  .object({
    id: z.string(),
    conversationId: z.string(),
    direction: z.enum(DIRECTIONS),
    type: z.enum(MESSAGE_TYPES),
    content: z.string().nullable().meta({ description: 'Text, caption, or what a button said' }),
    from: z.string().nullable().meta({ description: 'Digits, or the id of a user who hides the number' }),
    to: z.string().nullable(),
    fromName: z.string().nullable(),
    externalMessageId: z.string().nullable(),
    status: z.enum(MESSAGE_STATUSES),
    quotedMessageId: z.string().nullable(),
    media: media.nullable(),
    referral: referral
      .nullable()
      .meta({ description: 'The ad or post that the conversation began with: on its first message alone' }),
    reaction: z.object({ messageId: z.string(), emoji: z.string().nullable() }).nullable(),
    location: anyObject.nullable(),
    contacts: z.array(z.unknown()).nullable(),
    interactive: anyObject.nullable(),
    upstream: anyObject.nullable().meta({ description: 'Of types `unsupported` and `system`: what upstream said' }),
    editedAt: timestamp
      .nullable()
      .meta({ description: 'When its writer last changed it; `content` is what it says now' }),
    revokedAt: timestamp.nullable().meta({ description: 'When its writer took it back; `content` is empty' }),
    redacted: z
      .boolean()
      .meta({ description: 'True where privacy withholds content, addresses and names: they are null' }),
    createdAt: timestamp,
    ...times,
    groupId: z.string().nullable(),
    groupName: z.string().nullable(),
    conversationUnreadCount: z.int(),
  })
  .meta({ id: 'MessageItem' })

export const messagePage = z.object({ messages: z.array(item), ...pagedAnswer }).meta({ id: 'MessagePage' })

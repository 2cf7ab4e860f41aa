import { z } from 'zod'
import type { EventName } from '../../domain/events.ts'
import { MESSAGE_ERROR_CODES, MESSAGE_TYPES } from '../../domain/message.ts'
import type { EventDescription } from './described-event.ts'
import { timestamp } from '../routes/phone-schema.ts'

const address = z.string().meta({
  description: 'E.164 with `+`, or the id of a user who hides the number, a group or a channel',
  examples: ['+5511999990001'],
})
const anyObject = z.record(z.string(), z.unknown())

/** An inbound message ([events.data.1]). */
const inboundFields = {
  id: z.string().meta({ description: 'Ours' }),
  messageId: z.string().meta({ description: 'Upstream id' }),
  channelNumberId: z.string(),
  from: address,
  to: address,
  fromMe: z.boolean().meta({ description: 'Written for this number on another device' }),
  participantName: z.string().nullable(),
  type: z.enum(MESSAGE_TYPES),
  content: z.string().nullable().meta({ description: 'Text, caption, or what a button said' }),
  mediaType: z.string().nullable(),
  mediaLink: z.string().nullable().meta({ description: 'Where to download it until it expires' }),
  mediaId: z.string().nullable().meta({ description: 'OFFICIAL: for GET /v1/media/{mediaId}' }),
  mediaMimeType: z.string().nullable(),
  mediaCaption: z.string().nullable(),
  mediaFilename: z.string().nullable(),
  mediaDownloadHint: z.string().nullable(),
  location: anyObject.nullable(),
  contacts: z.array(z.unknown()).nullable(),
  reaction: z
    .object({ messageId: z.string(), emoji: z.string().nullable().meta({ description: 'Null: taken back' }) })
    .nullable(),
  interactive: anyObject.nullable(),
  groupId: z.string().nullable().meta({ description: 'Null outside groups' }),
  groupName: z.string().nullable(),
  quotedMessageId: z.string().optional().meta({ description: 'Upstream id of the message it quotes' }),
  createdAt: timestamp.meta({ description: 'When it happened, per the provider' }),
}
const inboundData = z.object(inboundFields).meta({ id: 'MessageEventData' })
const { to: _to, ...storyFields } = inboundFields
const storyData = z.object(storyFields).meta({ id: 'StoryEventData' })

/** A status of a message that the service sent ([events.data.3]). */
const statusFields = {
  messageId: z.string().nullable().meta({ description: 'Upstream id; null when the message never got one' }),
  internalMessageId: z.string().meta({ description: 'Ours' }),
  correlationId: z.string().nullable(),
  destination: address.nullable(),
  createdAt: timestamp.meta({ description: 'When it happened' }),
}
const statusData = z.object(statusFields).meta({ id: 'MessageStatusEventData' })
/** A message that the number's owner wrote on another device: an echo. */
const elsewhereData = z
  .object({ ...inboundFields, ...statusFields, fromMe: z.literal(true) })
  .meta({ id: 'MessageSentElsewhereEventData' })
const failedData = z
  .object({
    ...statusFields,
    code: z.enum(MESSAGE_ERROR_CODES),
    errorMessage: z.string(),
    error_data: z.object({
      details: z.string().nullable().meta({ description: 'Upstream’s reason in its own words' }),
    }),
    upstreamCode: z.union([z.number(), z.string()]).nullable(),
  })
  .meta({ id: 'MessageFailedEventData' })

/** A vote in a poll ([message-verbs.modes.6]). */
const voteData = z
  .object({
    messageId: z.string().meta({ description: 'Upstream id of the poll' }),
    internalMessageId: z.string().nullable().meta({ description: 'Ours; null when the engine no longer knows it' }),
    channelNumberId: z.string(),
    from: address,
    participantName: z.string().nullable(),
    options: z
      .array(z.string())
      .meta({ description: 'What this person has chosen now, in place of earlier votes; empty when taken back' }),
    groupId: z.string().nullable().meta({ description: 'Null outside groups' }),
    groupName: z.string().nullable(),
    createdAt: timestamp.meta({ description: 'When it happened, per the provider' }),
  })
  .meta({ id: 'PollVoteEventData' })

/** A message that was taken back ([events.data.12]). */
const revokedData = z
  .object({
    id: z.string().meta({ description: 'Ours' }),
    messageId: z.string().meta({ description: 'Upstream id' }),
    channelNumberId: z.string(),
    correlationId: z.string().nullable(),
    fromMe: z.boolean().meta({ description: 'Written by this number' }),
    createdAt: timestamp.meta({ description: 'When it was taken back' }),
  })
  .meta({ id: 'MessageRevokedEventData' })

const { id, at } = { id: 'msg_01kb0000000000000000000000', at: '2026-01-05T12:00:00.000Z' }
const NO_MEDIA = {
  mediaType: null,
  mediaLink: null,
  mediaId: null,
  mediaMimeType: null,
  mediaCaption: null,
  mediaFilename: null,
  mediaDownloadHint: null,
}
const NO_PARTS = { location: null, contacts: null, reaction: null, interactive: null }
const RECEIVED = {
  id,
  messageId: '3EB0A9C1D2',
  channelNumberId: 'num_01kb0000000000000000000000',
  from: '+5511999990001',
  to: '+5511988887777',
  fromMe: false,
  participantName: 'Ana',
  type: 'text',
  content: 'Good morning',
  ...NO_MEDIA,
  ...NO_PARTS,
  groupId: null,
  groupName: null,
  createdAt: at,
}
const GROUP = { groupId: '120363000000000001@g.us', groupName: 'Support' }
const { to: _number, ...STORY } = {
  ...RECEIVED,
  type: 'image',
  content: 'Our new shop',
  mediaType: 'image',
  mediaLink: 'https://example.com/media/file_01kb0000000000000000000000/photo.jpg',
  mediaMimeType: 'image/jpeg',
  mediaCaption: 'Our new shop',
  mediaFilename: 'photo.jpg',
  mediaDownloadHint: 'GET mediaLink before it expires',
}
const VOTE = {
  messageId: '3EB0A9C1D2',
  internalMessageId: id,
  channelNumberId: 'num_01kb0000000000000000000000',
  from: '+5511999990001',
  participantName: 'Ana',
  options: ['Monday'],
  groupId: null,
  groupName: null,
  createdAt: at,
}
const STATUS = {
  messageId: '3EB0A9C1D2',
  internalMessageId: id,
  correlationId: 'order-4711',
  destination: '+5511999990001',
  createdAt: at,
}
const FAILED = {
  ...STATUS,
  code: 'CHANNEL_NOT_EXIST',
  errorMessage: 'The destination is not registered on this channel',
  error_data: { details: null },
  upstreamCode: null,
}

/**
 * Events of messages, for the document. OFFICIAL numbers deliver inbound messages in upstream's native envelope instead
 * ([events.native.1]).
 */
export const MESSAGE_EVENTS: Readonly<Record<Extract<EventName, `message.${string}`>, EventDescription>> = {
  'message.received': { summary: 'A message came in (UNOFFICIAL numbers)', data: inboundData, example: RECEIVED },
  'message.reply': {
    summary: 'A message came in that quotes one of ours; on OFFICIAL numbers only when listed by name',
    data: inboundData,
    example: { ...RECEIVED, quotedMessageId: '3EB0FFFF01' },
  },
  'message.group': {
    summary: 'A message of a group (UNOFFICIAL numbers)',
    data: inboundData,
    example: { ...RECEIVED, ...GROUP },
  },
  'message.newsletter': {
    summary: 'A post of a channel (UNOFFICIAL numbers)',
    data: inboundData,
    example: { ...RECEIVED, from: '120363000000000002@newsletter' },
  },
  'message.stories': {
    summary: 'A status post of a contact (UNOFFICIAL numbers); not stored',
    data: storyData,
    example: STORY,
  },
  'message.poll_vote': {
    summary: 'Somebody voted in a poll that was sent, changed the vote or took it back (UNOFFICIAL numbers)',
    data: voteData,
    example: VOTE,
  },
  'message.sent': {
    summary:
      'Upstream took a message; with `fromMe`, one that was written on another device of the number (UNOFFICIAL numbers)',
    data: z.union([statusData, elsewhereData]),
    example: STATUS,
  },
  'message.delivered': { summary: 'A message reached the contact', data: statusData, example: STATUS },
  'message.read': {
    summary: 'The contact read a message; not everybody lets that be told',
    data: statusData,
    example: STATUS,
  },
  'message.revoked': {
    summary: 'A message was taken back, by the contact or by the number (UNOFFICIAL numbers)',
    data: revokedData,
    example: {
      id,
      messageId: '3EB0A9C1D2',
      channelNumberId: 'num_01kb0000000000000000000000',
      correlationId: 'order-4711',
      fromMe: true,
      createdAt: at,
    },
  },
  'message.failed': { summary: 'A message was not sent, or not delivered', data: failedData, example: FAILED },
}

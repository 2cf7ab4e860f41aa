import { z } from 'zod'
import { TYPING_STATES } from '../../../domain/device-ops.ts'
import { MESSAGE_STATUSES, MESSAGE_TYPES } from '../../../domain/message.ts'
import { NUMBER_STATES, PROVIDER_KINDS } from '../../../domain/number.ts'
import { conversation } from '../conversations/schema.ts'
import { DIRECTIONS, item, media } from '../messages/schema.ts'
import { timestamp } from '../phone-schema.ts'

const text = z.string().nullable()
const button = z.object({ type: z.string(), text: z.string(), url: text })

const inboxMessage = item
  .extend({
    numberId: z.string(),
    media: media
      .extend({
        sizeBytes: z.int().nullable(),
        durationMs: z.int().nullable(),
        waveform: z.array(z.number()).nullable(),
        isVoice: z.boolean(),
      })
      .nullable(),
    header: text,
    footer: text,
    buttons: z.array(button).nullable(),
    cards: z.array(z.object({ text: z.string(), buttons: z.array(button) })).nullable(),
    errorCode: text,
    errorMessage: text,
    correlationId: text,
    quoted: z
      .object({ id: z.string(), direction: z.enum(DIRECTIONS), type: z.enum(MESSAGE_TYPES), content: text })
      .nullable(),
  })
  .meta({ id: 'InboxMessage' })

const inboxConversation = conversation
  .extend({
    numberId: z.string(),
    provider: z.enum(PROVIDER_KINDS),
    lastMessageDirection: z.enum(DIRECTIONS).nullable(),
    lastMessageStatus: z.enum(MESSAGE_STATUSES).nullable(),
    lastMessageType: z.enum(MESSAGE_TYPES).nullable(),
    canSend: z.object({ free: z.boolean(), reason: z.enum(['WINDOW_CLOSED', 'NEWSLETTER']).nullable() }),
    isMarkedUnread: z.boolean(),
    archivedAt: timestamp.nullable(),
  })
  .meta({ id: 'InboxConversation' })

/** The data of each event of an inbox's stream ([embeds.stream.1] to [embeds.stream.3], [embeds.typing.2]). */
export const INBOX_EVENTS = {
  hello: z.object({ cursor: z.string().meta({ description: 'Where the stream begins, as `Last-Event-ID` takes it' }) }),
  message: z.object({ message: inboxMessage }),
  status: z.object({
    id: z.string(),
    conversationId: z.string(),
    status: z.enum(MESSAGE_STATUSES),
    errorCode: text,
    errorMessage: text,
    externalMessageId: text,
    sentAt: timestamp.nullable(),
  }),
  conversation: z.object({ item: inboxConversation }),
  number: z.object({ id: z.string(), state: z.enum(NUMBER_STATES) }),
  unread: z.object({ total: z.int().meta({ description: 'Unread messages of all numbers of the session' }) }),
  typing: z.object({ conversationId: z.string(), state: z.enum(TYPING_STATES) }),
  session: z.object({ expiresAt: timestamp.meta({ description: 'After a refresh' }) }),
  resync: z.object({}),
  expired: z.object({ reason: z.enum(['EXPIRED', 'REVOKED']) }),
}

import { z } from 'zod'
import { beginningOf } from '../../../domain/characters.ts'
import type { MessageId } from '../../../domain/ids.ts'
import type { ConversationPlace, MessageQuery } from '../../../ports/stores/inbox-store.ts'
import type { TakenFile } from '../../request/route.ts'
import { contact } from '../phone-schema.ts'
import { objectModes } from '../messages/mode-schemas.ts'
import { sendInput } from '../messages/send-schema.ts'

/** our choice: every id is shorter. */
const ID = z.string().max(64)
const SEARCH = z.string().max(100)

function limit(fallback: number) {
  return z
    .string()
    .regex(/^\d{1,3}$/, 'must be 1 to 100')
    .transform(Number)
    .refine((value) => value >= 1 && value <= 100, 'must be 1 to 100')
    .default(fallback)
}

/**
 * The place behind which a page of conversations begins: the time of the last message of the conversation before it, in
 * ms, and that message's id.
 */
const place = z
  .string()
  .regex(/^\d{1,15}\.msg_[0-9a-z]{1,40}$/, 'must be a nextBefore')
  .transform((text): ConversationPlace => {
    const cut = text.indexOf('.')
    return { lastMessageAt: new Date(Number(text.slice(0, cut))), lastMessageId: text.slice(cut + 1) as MessageId }
  })

export function placeText({ lastMessageAt, lastMessageId }: ConversationPlace): string {
  return `${lastMessageAt.getTime()}.${lastMessageId}`
}

export const idParams = z.object({ id: z.string() })

/** `card` is the position of a card of a carousel, from 0: its picture is wanted instead of the message's file. */
export const mediaQuery = z.object({ card: z.string().regex(/^\d$/, 'must be 0 to 9').transform(Number).optional() })

export const conversationsQuery = z.object({
  filter: z.enum(['all', 'unread', 'archived']).default('all'),
  numberId: ID.optional(),
  search: SEARCH.optional(),
  limit: limit(30),
  before: place.optional(),
})

export const messagesQuery = z
  .object({
    limit: limit(50),
    before: ID.optional(),
    after: ID.optional(),
    around: ID.optional(),
    at: z.iso
      .datetime({ error: 'must be an ISO 8601 time in UTC, as 2026-01-05T12:00:00Z' })
      .transform((time) => new Date(time))
      .optional(),
  })
  .refine(
    ({ before, after, around, at }) => [before, after, around, at].filter((one) => one !== undefined).length <= 1,
    {
      message: 'name one of before, after, around and at',
      path: ['before'],
    },
  )

/** The messages that a query chooses; without a place, the newest. */
export function messageQueryOf({
  limit: most,
  before,
  after,
  around,
  at,
}: z.output<typeof messagesQuery>): MessageQuery {
  if (before !== undefined) return { side: 'before', of: before, limit: most }
  if (after !== undefined) return { side: 'after', of: after, limit: most }
  if (around !== undefined) return { side: 'around', of: around, limit: most }
  return at === undefined ? { side: 'newest', limit: most } : { side: 'at', time: at, limit: most }
}

export const searchQuery = z.object({
  q: z.string().trim().min(2, 'must be 2 to 100 characters').max(100, 'must be 2 to 100 characters'),
  numberId: ID.optional(),
  /** Only messages of this conversation are searched then. */
  conversationId: ID.optional(),
})

export const templatesQuery = z.object({ numberId: ID, search: SEARCH.optional() })

const { text, templateId, variables, quotedMessageId, correlationId, language, mediaType, caption } = sendInput.shape
const { location, contacts, reaction } = objectModes

/** [embeds.inbox-routes.7]: a text, a template, a place, cards of people, a reaction, or the fields beside a file. */
export const inboxSendInput = z.object({
  text,
  templateId,
  variables,
  language,
  location,
  contacts,
  reaction,
  quotedMessageId,
  correlationId,
  mediaType,
  caption,
})

/** Whom to write to, as `destinationNumber` of a send. */
export const withQuery = z.object({ with: contact() })

/** [embeds.starts.3]: a text or a template, and whom it goes to. */
export const startInput = z.object({
  destinationNumber: contact(),
  text,
  templateId,
  variables,
  language,
  correlationId,
})

/**
 * [embeds.inbox-routes.7], [messages.send.3]: a message is one thing. Fields of the others are read beside a file, so
 * that they are refused instead of dropped.
 */
export const NOT_BESIDE_FILE = [
  'text',
  'templateId',
  'variables',
  'language',
  'location',
  'contacts',
  'reaction',
] as const

/** Fields that are read beside the file. */
export const BESIDE_FILE = ['mediaType', 'caption', 'quotedMessageId', 'correlationId', ...NOT_BESIDE_FILE] as const

/** Characters of `mediaFilename`, as in other sends. */
const NAME_LENGTH = 255

/** The file name to send. Only documents are shown by name. */
export function fileNameOf(
  mediaType: string | null | undefined,
  { name }: TakenFile,
): { readonly mediaFilename?: string } {
  return mediaType === 'document' && name !== '' ? { mediaFilename: beginningOf(name, NAME_LENGTH) } : {}
}

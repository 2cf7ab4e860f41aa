import { z } from 'zod'
import { IDENTITY_KINDS } from '../../../domain/identity.ts'
import { CONVERSATION_TYPES } from '../../../domain/message.ts'
import { isWithinReach, OUT_OF_REACH, pagedAnswer, pageFields } from '../paging.ts'
import { timestamp } from '../phone-schema.ts'

export const listQuery = z.object(pageFields).refine(isWithinReach, OUT_OF_REACH)

export const conversation = z
  .object({
    id: z.string(),
    type: z.enum(CONVERSATION_TYPES),
    from: z.string().nullable().meta({
      description: 'Digits, or the id of a group, a channel or a user who hides the number; null when withheld',
    }),
    fromName: z.string().nullable(),
    identities: z
      .array(z.object({ kind: z.enum(IDENTITY_KINDS), value: z.string(), since: timestamp }))
      .meta({ description: 'All that the contact is known by, `from` first; empty of groups and when withheld' }),
    unreadCount: z.int(),
    lastMessageAt: timestamp.nullable(),
    lastMessagePreview: z
      .string()
      .nullable()
      .meta({ description: 'Beginning of the last message; of a reaction its emoji' }),
    windowExpiresAt: timestamp
      .nullable()
      .meta({ description: 'OFFICIAL: until when free texts may be sent; null when the contact never wrote' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Conversation' })

export const conversationPage = z
  .object({ conversations: z.array(conversation), ...pagedAnswer })
  .meta({ id: 'ConversationPage' })

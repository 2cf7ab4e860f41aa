import { z } from 'zod'
import { codePointsOf } from '../../../domain/characters.ts'
import { NOTE_LENGTH } from '../../../domain/handling.ts'
import { timestamp } from '../phone-schema.ts'

/** Our choice: notes, or assigned conversations, of one answer. */
export const MOST_LISTED = 100

const handler = z.object({ id: z.string(), name: z.string() })

export const params = z.object({ id: z.string() })
export const noteParams = z.object({ id: z.string(), noteId: z.string() })

export const assignInput = z.object({ userId: z.string().nullable() })

export const noteInput = z.object({
  text: z
    .string()
    .refine((given) => given.trim() !== '', 'must not be blank')
    .refine((given) => codePointsOf(given) <= NOTE_LENGTH, `must have at most ${NOTE_LENGTH} characters`),
})

export const notesQuery = z.object({
  before: z
    .string()
    .regex(/^note_[0-9a-z]{26}$/, 'must be the id of a note')
    .optional(),
})

export const assignedQuery = z.object({ userId: z.string().min(1).optional() })

const assignment = { assignee: handler.extend({ isActive: z.boolean() }).nullable(), assignedAt: timestamp.nullable() }
export const assigned = z.object(assignment)

export const assignees = z.object({ assignees: handler.array() })

export const note = z.object({ id: z.string(), author: handler.nullable(), text: z.string(), createdAt: timestamp })
export const notes = z.object({ notes: note.array(), hasMore: z.boolean() })
export const noteRemoved = z.object({ deleted: z.literal(true), id: z.string() })

export const conversations = z.object({
  conversations: z
    .object({
      id: z.string(),
      numberId: z.string(),
      from: z.string().nullable(),
      fromName: z.string().nullable(),
      unreadCount: z.int(),
      lastMessageAt: timestamp.nullable(),
      ...assignment,
    })
    .array(),
})

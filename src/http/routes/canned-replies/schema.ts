import { z } from 'zod'
import { CANNED_TEXT_LENGTH, SHORTCUT_LENGTH } from '../../../domain/canned-reply.ts'
import { codePointsOf } from '../../../domain/characters.ts'
import { timestamp } from '../phone-schema.ts'

const shortcut = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(SHORTCUT_LENGTH)
  // No pattern of the document: readers of it know no classes of letters.
  .refine((given) => /^[\p{L}\p{N}_-]*$/u.test(given), 'must be letters, digits, - and _')
  .meta({ description: 'What is typed behind the slash; kept in small letters, once in the account' })

const text = z
  .string()
  .refine((given) => given.trim() !== '', 'must not be blank')
  .refine((given) => codePointsOf(given) <= CANNED_TEXT_LENGTH, `must have at most ${CANNED_TEXT_LENGTH} characters`)
  .meta({ description: `What is put into the message, at most ${CANNED_TEXT_LENGTH} characters` })

export const createInput = z.object({ shortcut, text }).meta({ id: 'CannedReplyCreate' })
export const patchInput = z
  .object({ shortcut: shortcut.optional(), text: text.optional() })
  .meta({ id: 'CannedReplyPatch' })

export const params = z.object({
  id: z.string().meta({ description: 'Id of a canned reply', example: 'crep_01kb0000000000000000000000' }),
})

export const cannedReply = z
  .object({
    id: z.string(),
    shortcut: z.string(),
    text: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'CannedReply' })

export const cannedReplies = z.object({ cannedReplies: z.array(cannedReply) }).meta({ id: 'CannedReplies' })
export const removed = z.object({ deleted: z.literal(true), id: z.string() }).meta({ id: 'CannedReplyRemoved' })

import { z } from 'zod'
import { isBlank } from '../../../domain/characters.ts'
import { GROUP_PARTICIPANTS, GROUP_SUBJECT_CHARACTERS } from '../../../domain/device-ops.ts'
import { phone, TYPED_LENGTH } from '../phone-schema.ts'

export const GROUP_ID = /^[\w.-]{1,100}@g\.us$/
export const groupParams = z.object({
  id: z.string().meta({ description: 'Group id', example: '120363000000000001@g.us' }),
})

const participants = z
  .array(phone())
  .min(1, 'needs at least one')
  .max(GROUP_PARTICIPANTS, `holds at most ${GROUP_PARTICIPANTS}`)

export const createInput = z
  .object({
    subject: z
      .string()
      .trim()
      .min(1, `must be 1 to ${GROUP_SUBJECT_CHARACTERS} characters`)
      .max(GROUP_SUBJECT_CHARACTERS, `must be 1 to ${GROUP_SUBJECT_CHARACTERS} characters`)
      .refine((text) => !isBlank(text), 'must show something: it is blank'),
    participants: z.array(phone()).max(GROUP_PARTICIPANTS, `holds at most ${GROUP_PARTICIPANTS}`).nullish(),
  })
  .meta({ id: 'GroupCreate' })

export const participantsInput = z.object({ participants }).meta({ id: 'GroupParticipants' })

const summary = z.object({ id: z.string(), name: z.string() })

export const groupList = z.object({ groups: z.array(summary) }).meta({ id: 'GroupList' })

export const group = z
  .object({
    id: z.string(),
    name: z.string(),
    subject: z.string().meta({ description: 'The same as `name`' }),
    participants: z.array(z.object({ number: z.string().meta({ description: 'Digits' }), isAdmin: z.boolean() })),
  })
  .meta({ id: 'Group' })

export const newsletterList = z.object({ newsletters: z.array(summary) }).meta({ id: 'NewsletterList' })

/** [groups.check.1]: 1 to 100. */
const MAX_CHECKED = 100

export const checkInput = z
  .object({
    numbers: z
      .array(z.string().max(TYPED_LENGTH))
      .min(1, `needs 1 to ${MAX_CHECKED} numbers`)
      .max(MAX_CHECKED, `needs 1 to ${MAX_CHECKED} numbers`),
  })
  .meta({ id: 'NumberCheck' })

export const checkedNumbers = z
  .array(
    z.object({
      input: z.string().meta({ description: 'As it was sent' }),
      exists: z.boolean(),
      number: z.string().nullable().meta({ description: 'Digits, as registered' }),
      name: z.string().nullable(),
    }),
  )
  .meta({ id: 'CheckedNumbers' })

import { z } from 'zod'
import { ROLES } from '../../../domain/permissions.ts'
import { EMAIL_LENGTH, USER_NAME_LENGTH, USER_STATUSES } from '../../../domain/user.ts'
import { timestamp } from '../phone-schema.ts'

const email = z
  .email('must be an e-mail address')
  .max(EMAIL_LENGTH)
  .meta({ description: 'Once in the whole installation, compared without case', example: 'ann@example.com' })
const role = z
  .enum(ROLES)
  .meta({ description: 'OWNER and ADMIN manage the account, AGENT chats and calls, ANALYST reads figures' })

/** A person's name, without control and bidirectional characters, which would make it look like another one. */
const personName = z
  .string()
  .trim()
  .min(1)
  .max(USER_NAME_LENGTH)
  .regex(/^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u, 'must have no control characters')

/** The person's name; null or absent when none is known. */
export const name = personName.nullable().optional()

export const createInput = z.object({ email, role, name }).meta({ id: 'UserCreate' })

export const patchInput = z
  .object({ role: role.optional(), name, status: z.enum(['ACTIVE', 'DISABLED']).optional() })
  .meta({ id: 'UserPatch' })

export const userParams = z.object({
  id: z.string().meta({ description: 'Id of a user', example: 'usr_01kb0000000000000000000000' }),
})

const userFields = {
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role: z.enum(ROLES),
  status: z.enum(USER_STATUSES).meta({ description: '`INVITED`: has set no password yet' }),
  lastSeenAt: timestamp.nullable(),
  createdAt: timestamp,
}

export const user = z.object(userFields).meta({ id: 'User' })

const inviteUrl = z.string().meta({ description: 'Where the person sets a password, once, within 7 days' })

export const invitedUser = z.object({ ...userFields, inviteUrl }).meta({ id: 'InvitedUser' })
export const invitation = z.object({ inviteUrl, expiresAt: timestamp }).meta({ id: 'Invitation' })
export const removed = z.object({ deleted: z.literal(true), id: z.string() }).meta({ id: 'UserRemoved' })

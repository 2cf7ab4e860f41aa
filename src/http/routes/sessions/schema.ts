import { z } from 'zod'
import { PERMISSION_NAMES, ROLES } from '../../../domain/permissions.ts'
import { EMAIL_LENGTH, PASSWORD_LENGTH } from '../../../domain/user.ts'
import { timestamp } from '../phone-schema.ts'
import { name } from '../users/schema.ts'

/**
 * A password that is tried. Its length is not checked against the rule of new ones, so that wrong passwords are all
 * alike ([sessions.login.11]).
 */
const tried = z.string().min(1).max(1_000)

const WAYS = ['tenantKey', 'loginToken', 'email'] as const

export const signInInput = z
  .object({
    tenantKey: z.string().trim().min(1).max(200).optional(),
    loginToken: z.string().trim().min(1).max(200).optional(),
    email: z.string().trim().min(1).max(EMAIL_LENGTH).optional(),
    password: tried.optional(),
  })
  .refine(
    (body) =>
      WAYS.filter((way) => body[way] !== undefined).length === 1
      && (body.email === undefined) === (body.password === undefined),
    'send tenantKey, loginToken, or email and password',
  )

/**
 * A new password ([people.passwords.1]). Code points are counted, so that a character outside of the basic plane is
 * one.
 */
const newPassword = z
  .string()
  .max(2 * PASSWORD_LENGTH.most)
  .refine(
    (text) => [...text].length >= PASSWORD_LENGTH.least && [...text].length <= PASSWORD_LENGTH.most,
    `must have ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters`,
  )

export const invitationInput = z.object({ token: z.string().trim().min(1).max(200) })

export const invited = z.object({
  email: z.string(),
  name: z.string().nullable(),
  tenant: z.object({ name: z.string() }),
})

export const acceptInput = invitationInput.extend({ password: newPassword, name })

export const passwordInput = z.object({ current: tried, password: newPassword })

export const changed = z.object({ changed: z.literal(true) })

export const signedIn = z.object({
  tenant: z.object({ id: z.string(), name: z.string() }),
  csrfToken: z.string(),
  expiresAt: timestamp,
  user: z.object({ id: z.string(), email: z.string(), name: z.string().nullable(), role: z.enum(ROLES) }).nullable(),
  permissions: z.enum(PERMISSION_NAMES).array(),
})

export const sessions = z.object({
  sessions: z
    .object({
      id: z.string(),
      createdAt: timestamp,
      lastSeenAt: timestamp,
      expiresAt: timestamp,
      address: z.string().nullable(),
      userAgent: z.string().nullable(),
      user: z.object({ id: z.string(), email: z.string() }).nullable(),
      isCurrent: z.boolean(),
    })
    .array(),
})

export const idParams = z.object({ id: z.string() })

export const ended = z.object({ ended: z.literal(true) })

import { z } from 'zod'
import { EMBED_SURFACES } from '../../../domain/embed-session.ts'
import { NUMBER_STATES, PROVIDER_KINDS } from '../../../domain/number.ts'
import { brandOfLink } from '../branding/schema.ts'
import { timestamp } from '../phone-schema.ts'

export const session = z.object({
  id: z.string(),
  surface: z.enum(EMBED_SURFACES),
  numbers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      number: z.string(),
      provider: z.enum(PROVIDER_KINDS),
      state: z.enum(NUMBER_STATES),
      startsFree: z.boolean().meta({ description: 'A free text may begin a conversation; else a template must' }),
      can: z.object({ edits: z.boolean(), revocations: z.boolean(), typing: z.boolean() }).meta({
        description: 'What its kind and its engine can do: change sent messages, show that the number writes',
      }),
    }),
  ),
  allowedOrigins: z.array(z.string()),
  startConversation: z.boolean(),
  branding: brandOfLink.shape.branding,
  theme: brandOfLink.shape.theme,
  unreadTotal: z.number(),
  expiresAt: timestamp.meta({ description: 'Of the token that asks' }),
  maxExpiresAt: timestamp,
})

export const fresh = z
  .object({
    token: z.string().meta({ description: 'Of the same session. The one before works 60 s more, or to its own end' }),
    expiresAt: timestamp,
    maxExpiresAt: timestamp.meta({ description: 'No refresh goes past it' }),
  })
  .meta({ id: 'FreshEmbedToken' })

/** Exactly one of `s` and `h` names what is not shown ([embeds.diagnose.1]). */
export const diagnoseQuery = z
  .object({
    s: z.string().max(100).optional(),
    h: z.string().max(100).optional(),
    origin: z.string().min(1).max(2_048),
  })
  .refine(({ s, h }) => (s === undefined) !== (h === undefined), {
    message: 'name a session (s) or a link (h)',
    path: ['s'],
  })

export const diagnosis = z.object({
  ok: z.boolean(),
  reason: z.enum(['ORIGIN_NOT_ALLOWED', 'SESSION_NOT_LIVE']).nullable(),
  hint: z.string().nullable(),
})

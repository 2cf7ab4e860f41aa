import { z } from 'zod'
import { EMBED_SURFACES, EMBED_TTL_SECONDS, isAllowedOrigin } from '../../../domain/embed-session.ts'
import { MOST_NUMBERS } from '../../../commands/embeds/mint.ts'
import { ownBranding } from '../branding/schema.ts'
import { timestamp } from '../phone-schema.ts'

const origin = z
  .string()
  .max(300)
  .refine(
    isAllowedOrigin,
    'must be an exact origin: https://host or https://host:port, or http:// of localhost or 127.0.0.1',
  )
  .meta({ description: 'Exact origin of a page that may frame the embed', example: 'https://crm.example.com' })

const surface = z.enum(EMBED_SURFACES).meta({
  description: '`chat`: the inbox. `connect`: who may frame connect links of these numbers, and how they look',
})

/** The input of a new session. The base URL tells logos of this service apart, see `ownBranding`. */
export function mintInput(baseUrl: string) {
  return z
    .object({
      surface,
      // A number key is forced to its own number ([embeds.routes.6]), so any value passes here. For other callers the
      // command checks it.
      channelNumberIds: z
        .unknown()
        .optional()
        .meta({
          type: 'array',
          items: { type: 'string' },
          description: `1 to ${MOST_NUMBERS} numbers; needed for \`chat\` with the key of the tenant. The key of a number mints for that number, whatever is sent. \`connect\` without: all numbers`,
        }),
      allowedOrigins: z.array(origin).min(1).max(20),
      brandingOverride: ownBranding(baseUrl)
        .optional()
        .meta({ description: 'The look of this session alone: what is named here counts before link and tenant' }),
      startConversation: z.boolean().optional().meta({
        description: '`chat`: its users may write first, to any phone number; false when absent',
      }),
      ttlSeconds: z
        .number()
        .int()
        .min(60)
        .max(3_600)
        .optional()
        .meta({
          description: `Life of a token; ${EMBED_TTL_SECONDS.chat} for \`chat\` and ${EMBED_TTL_SECONDS.connect} for \`connect\` when absent`,
        }),
    })
    .meta({ id: 'EmbedSessionCreate' })
}

const shared = {
  id: z.string().meta({ description: 'Public: it may stand in a URL and opens nothing' }),
  surface: z.enum(EMBED_SURFACES),
  channelNumberIds: z.array(z.string()),
  allowedOrigins: z.array(z.string()),
  startConversation: z.boolean(),
  expiresAt: timestamp,
  maxExpiresAt: timestamp.meta({ description: 'No refresh goes past it' }),
}

export const minted = z
  .object({
    ...shared,
    token: z.string().meta({ description: 'Shown once. Hand it to the page, never in a URL' }),
  })
  .meta({ id: 'MintedEmbedSession' })

export const session = z
  .object({ ...shared, createdAt: timestamp, lastUsedAt: timestamp.nullable() })
  .meta({ id: 'EmbedSession' })
export const sessions = z.object({ sessions: z.array(session) }).meta({ id: 'EmbedSessions' })
export const idParams = z.object({
  id: z.string().meta({ description: 'Id of an embed session', example: 'emb_01kb0000000000000000000000' }),
})
export const revoked = z.object({ revoked: z.literal(true), id: z.string() }).meta({ id: 'EmbedSessionRevoked' })

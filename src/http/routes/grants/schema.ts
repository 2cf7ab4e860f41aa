import { z } from 'zod'
import { timestamp } from '../phone-schema.ts'

export const idParams = z.object({ id: z.string() })

export const grants = z.object({
  grants: z
    .object({
      id: z.string(),
      clientId: z.string(),
      clientName: z.string(),
      user: z.object({ id: z.string(), email: z.string() }).nullable(),
      resource: z.string(),
      scopes: z.string().array(),
      channelNumberIds: z.string().array().nullable(),
      createdAt: timestamp,
      lastUsedAt: timestamp.nullable(),
    })
    .array(),
})

export const deleted = z.object({ deleted: z.literal(true), id: z.string() })

import { z } from 'zod'
import { SCOPES } from '../../../domain/oauth.ts'
import { timestamp } from '../phone-schema.ts'
import type { NumberId } from '../../../domain/ids.ts'

export const idParams = z.object({ id: z.string() })

const numberId = z.custom<NumberId>(
  (value) => typeof value === 'string' && /^num_[0-9a-z]{1,60}$/.test(value),
  'is no id of a number',
)
/** our choice: more numbers than an account has. */
const MOST_NUMBERS = 1_000

export const decisionInput = z.object({
  decision: z.enum(['allow', 'deny']),
  scopes: z
    .enum(SCOPES as [(typeof SCOPES)[number], ...typeof SCOPES])
    .array()
    .max(SCOPES.length)
    .optional(),
  channelNumberIds: numberId.array().min(1).max(MOST_NUMBERS).nullable().optional(),
})

export const question = z.object({
  id: z.string(),
  client: z.object({
    clientId: z.string(),
    name: z.string(),
    uri: z.string().nullable(),
    redirectHost: z.string(),
    isLoopback: z.boolean(),
  }),
  resource: z.string(),
  scopes: z.object({ scope: z.string(), description: z.string(), allowed: z.boolean() }).array(),
  numbers: z.object({ id: z.string(), name: z.string(), number: z.string() }).array(),
  expiresAt: timestamp,
})

export const decided = z.object({ redirectTo: z.string() })

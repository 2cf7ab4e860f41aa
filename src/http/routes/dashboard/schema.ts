import { z } from 'zod'
import { CALL_DIRECTIONS, CALL_STATUSES } from '../../../domain/call.ts'
import { NUMBER_STATES } from '../../../domain/number.ts'
import { CHECKLIST_STEPS } from '../../../domain/overview.ts'
import { callFields, callRead as callReadOfNumber, limit } from '../calls/schema.ts'
import { contact, timestamp } from '../phone-schema.ts'

const count = z.int().min(0)

export const overview = z.object({
  numbers: z.record(z.enum(NUMBER_STATES), count),
  checklist: z.record(z.enum(CHECKLIST_STEPS), z.boolean()),
  failing: z.object({ webhookId: z.string(), failed24h: count }).array(),
  liveCalls: count,
  sandbox: z.object({ controlUrl: z.string() }).nullable(),
})

export const callsQuery = z.object({
  numberId: z.string().min(1).optional(),
  status: z.enum(CALL_STATUSES).optional(),
  direction: z.enum(CALL_DIRECTIONS).optional(),
  peer: contact().optional(),
  limit: limit.optional(),
  before: z
    .string()
    .regex(/^call_[0-9a-z]{26}$/, 'must be the id of a call')
    .optional(),
})

export const calls = z.object({ calls: z.object({ ...callFields, numberId: z.string() }).array() })

export const callParams = z.object({ callId: z.string() })

export const callRead = callReadOfNumber.extend({ numberId: z.string() })

export const tenantKey = z.object({ keyId: z.string(), keyLast4: z.string(), createdAt: timestamp })

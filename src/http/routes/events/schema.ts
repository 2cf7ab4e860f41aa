import { z } from 'zod'
import { EVENT_NAMES } from '../../../domain/events.ts'
import { NATIVE_FIELDS } from '../../../domain/upstream-fields.ts'

/** our choice: a page of up to 1,000 events, 100 unless asked. */
const MAX_LIMIT = 1_000
export const DEFAULT_LIMIT = 100

/** Names of stored events: the service's, and the native fields of OFFICIAL numbers. */
const STORED = [...EVENT_NAMES, ...NATIVE_FIELDS] as const

export const listQuery = z.object({
  after: z
    .string()
    .regex(/^evt_[0-9a-z]{26}$/, 'must be an event id')
    .optional()
    .meta({ description: 'Only events stored after this one' }),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= 1 && value <= MAX_LIMIT, `must be 1 to ${MAX_LIMIT}`)
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: `Default ${DEFAULT_LIMIT}` }),
  event: z.enum(STORED, { error: 'is no event name' }).optional().meta({ description: 'Only events of this name' }),
})

const envelope = z
  .object({
    id: z.string(),
    event: z.enum(STORED),
    channelNumberId: z.string(),
    timestamp: z.iso.datetime(),
    data: z.record(z.string(), z.unknown()).meta({ description: 'Of a native field: the upstream envelope' }),
  })
  .meta({ id: 'Event' })

export const events = z.object({ events: z.array(envelope) }).meta({ id: 'EventList' })

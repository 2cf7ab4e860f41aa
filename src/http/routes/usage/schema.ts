import { z } from 'zod'
import { isInOrder, NOT_IN_ORDER, rangeFields } from '../date-range.ts'

export const query = z
  .object({
    ...rangeFields,
    groupBy: z
      .enum(['day', 'number'], { error: 'must be day or number' })
      .optional()
      .meta({ description: 'What each item is of; `day` without it' }),
  })
  .refine(isInOrder, NOT_IN_ORDER)

const count = z.int().nonnegative()

const used = {
  messages: z
    .object({
      inbound: count,
      outbound: count,
      byType: z.record(z.string(), count).meta({ description: 'Both directions, by type of message' }),
    })
    .meta({ description: 'Messages, on the day of their time' }),
  calls: z
    .object({
      inbound: count,
      outbound: count,
      seconds: count.meta({ description: 'Of those that were answered' }),
    })
    .meta({ description: 'Calls that have ended, on the day on which they began' }),
  recordings: z.object({ count, bytes: count }),
  deliveries: z
    .object({
      succeeded: count,
      failed: count.meta({ description: 'Given up' }),
      attempts: count,
    })
    .meta({ description: 'Deliveries to webhooks, without tests' }),
  conversations: z
    .object({ MARKETING: count, UTILITY: count, AUTHENTICATION: count, SERVICE: count })
    .meta({ description: 'Messages that upstream charges, by its category' }),
}

const day = z.iso.date()

export const usage = z
  .object({
    from: day.meta({ description: 'The first day (UTC)' }),
    to: day.meta({ description: 'The last day (UTC)' }),
    groupBy: z.enum(['day', 'number']),
    items: z
      .array(
        z.object({
          day: day.optional().meta({ description: 'With groupBy day' }),
          channelNumberId: z
            .string()
            .optional()
            .meta({ description: 'With groupBy number; it may have been removed since' }),
          ...used,
        }),
      )
      .meta({ description: 'Those with any use, by day or id' }),
    total: z.object(used),
  })
  .meta({ id: 'Usage' })

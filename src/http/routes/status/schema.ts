import { z } from 'zod'
import { NUMBER_STATES, PROVIDER_KINDS } from '../../../domain/number.ts'

export const status = z
  .object({
    numberId: z.string(),
    provider: z.enum(PROVIDER_KINDS),
    state: z.enum(NUMBER_STATES),
    isFullyConnected: z.boolean(),
  })
  .meta({ id: 'Status' })

export const subscription = z
  .object({
    plan: z.string(),
    maxNumbers: z.int().nullable().meta({ description: 'Null: unlimited' }),
    usedNumbers: z.int(),
  })
  .meta({ id: 'Subscription' })

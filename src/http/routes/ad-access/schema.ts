import { z } from 'zod'
import { upstreamSecret } from '../numbers/schema.ts'
import { timestamp } from '../phone-schema.ts'

export const accessInput = z
  .object({
    accessToken: upstreamSecret(4096).meta({
      description: 'Of somebody with `ads_read` on the ad accounts. Checked upstream before it is stored; never shown',
    }),
  })
  .meta({ id: 'AdAccessInput' })

export const access = z
  .object({
    shared: z.boolean(),
    adAccounts: z
      .array(z.object({ id: z.string(), name: z.string().nullable() }))
      .meta({ description: 'What the token saw when it was shared' }),
    checkedAt: timestamp.nullable(),
  })
  .meta({ id: 'AdAccess' })

import { z } from 'zod'

export const appParams = z.object({
  appId: z.string().max(64).meta({ description: 'Upstream’s id of the app that Pages were linked with' }),
})
export const received = z
  .object({ stored: z.int().meta({ description: 'Leads that were not told of before' }) })
  .meta({ id: 'LeadWebhookReceived' })

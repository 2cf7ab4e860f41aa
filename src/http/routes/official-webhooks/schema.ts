import { z } from 'zod'

export const targetParams = z.object({
  id: z.string().max(64).meta({ description: 'Id of the number, or upstream id of its account' }),
})

/**
 * The query of a verification by upstream. Every field is optional, so that a wrong request gets 403 and not a fault of
 * its form.
 */
export const challengeQuery = z.object({
  'hub.mode': z.string().optional().meta({ description: '`subscribe`' }),
  'hub.verify_token': z.string().optional().meta({ description: 'The `verifyToken` of the number' }),
  'hub.challenge': z.string().max(1_024).optional().meta({ description: 'Answered as it is' }),
})

export const received = z
  .object({ stored: z.int().meta({ description: 'Changes that were new' }) })
  .meta({ id: 'OfficialWebhookReceived' })

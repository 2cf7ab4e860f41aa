import { z } from 'zod'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import { readFlowMessage } from './flow-messages.ts'
import { json, readBody, type ControlAnswer, type ControlRequest, type Route } from './router.ts'

const answerSchema = z.object({
  to: z.string(),
  /** The fields that were filled in; a text is told as it is, be it JSON or not. */
  response: z.union([z.record(z.string(), z.unknown()), z.string()]),
  /** The newest message with a Flow unless it is named. */
  messageId: z.string().optional(),
  withoutToken: z.boolean().default(false),
  withoutContext: z.boolean().default(false),
  /** Null leaves out the profile. */
  fromName: z.string().nullable().optional(),
  hiddenAs: z.string().min(1).optional(),
})

/** A peer fills in a Flow that reached it, and sends it off. */
function submit(official: OfficialPlatform, { params, body }: ControlRequest): ControlAnswer {
  const given = readBody(answerSchema, body)
  const { user, number, message, token } = readFlowMessage(official, params['peer'], given)
  const { response, withoutToken, withoutContext, fromName, hiddenAs } = given
  const answered =
    typeof response === 'string'
      ? response
      : JSON.stringify({ ...(withoutToken ? {} : { flow_token: token }), ...response })
  const content = { type: 'nfm_reply', nfm_reply: { response_json: answered, body: 'Sent', name: 'flow' } }
  const { externalMessageId } = official.messaging.users.receive(number, user, {
    type: 'interactive',
    content,
    fromName,
    hiddenAs,
    quoted: withoutContext ? undefined : message.externalMessageId,
  })
  return json(201, { externalMessageId })
}

/** Routes that answer the Flows of official numbers. */
export function flowAnswerRoutes(official: OfficialPlatform): Route[] {
  return [{ method: 'POST', path: '/control/peers/:peer/flows', answer: (request) => submit(official, request) }]
}

import { z } from 'zod'
import { fieldsIn, isFields, listIn, own, textIn, type Fields } from '../../src/domain/json-fields.ts'
import type { OfficialSent } from '../official/messages/message-record.ts'
import type { OfficialPlatform } from '../official/platform.ts'
import { readNumber } from './read.ts'
import { ControlRefusal } from './refusal.ts'
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

/** What a message opens its Flow with: a Flow message, or a template that has a button for one. Null: it opens none. */
function tokenOf({ type, content }: OfficialSent): string | null {
  if (!isFields(content)) return null
  if (type === 'interactive' && own(content, 'type') === 'flow') return tokenIn(fieldsIn(fieldsIn(content, 'action'), 'parameters'))
  const button = type === 'template' ? listIn(content, 'buttons').find((one) => own(one, 'type') === 'FLOW') : undefined
  return button ? tokenIn(fieldsIn(button, 'action')) : null
}

/** Upstream: a message without a token has this one. */
function tokenIn(fields: Fields): string {
  return textIn(fields, 'flow_token') ?? 'unused'
}

/** A peer fills in a Flow that reached it, and sends it off. */
function submit({ registry, messaging }: OfficialPlatform, { params, body }: ControlRequest): ControlAnswer {
  const { to, response, messageId, withoutToken, withoutContext, fromName, hiddenAs } = readBody(answerSchema, body)
  const user = readNumber(params['peer'])
  const number = registry.byDigits(readNumber(to))
  if (!number) throw new ControlRefusal(404, 'NUMBER_NOT_FOUND', 'There is no such official number')
  const message = messaging.messages.inbox(user).findLast((one) => one.from === number.number && tokenOf(one) !== null && (messageId === undefined || one.externalMessageId === messageId))
  if (!message) throw new ControlRefusal(409, 'NO_FLOW', 'No message with a Flow reached this peer from that number')
  const answered = typeof response === 'string' ? response : JSON.stringify({ ...(withoutToken ? {} : { flow_token: tokenOf(message) }), ...response })
  const content = { type: 'nfm_reply', nfm_reply: { response_json: answered, body: 'Sent', name: 'flow' } }
  const { externalMessageId } = messaging.users.receive(number, user, {
    type: 'interactive', content, fromName, hiddenAs, quoted: withoutContext ? undefined : message.externalMessageId,
  })
  return json(201, { externalMessageId })
}

/** Routes that answer the Flows of official numbers. */
export function flowAnswerRoutes(official: OfficialPlatform): Route[] {
  return [{ method: 'POST', path: '/control/peers/:peer/flows', answer: (request) => submit(official, request) }]
}

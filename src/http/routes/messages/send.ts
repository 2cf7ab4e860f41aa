import type { RefusalCode } from '../../../domain/errors.ts'
import { BODY_MEDIA_BYTES } from '../../../domain/limits.ts'
import { readOrder } from '../../../domain/send-reading.ts'
import type { NewMessage } from '../../../ports/stores/message-store.ts'
import { repeated } from '../../request/first-answer.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import type { MessageDeps } from './deps.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { MODE_WORDS, sendInput } from './send-schema.ts'

const DESCRIPTION =
  'Answered once the message is stored; what becomes of it is told by message.sent, .delivered, .read and .failed, and by GET /v1/messages/{id}. '
  + `Exactly one of \`destinationNumber\`, \`groupId\`, \`newsletterId\`, and exactly one of ${MODE_WORDS}; `
  + 'a template may have `media` in the place of its header, and `flow` with `data` and `token` of its Flow. '
  + 'Messages to one destination are sent in order. Counted apart from other requests: 1,200 a minute. The body may have 25 MB, 1 MB of it beside the data URIs of its media.'
/** Refusals of a send, which those of a batch list in `refused`. */
const SEND_REFUSALS: readonly RefusalCode[] = [
  'FEATURE_NOT_SUPPORTED',
  'NOT_FOUND',
  'MEDIA_URL_FORBIDDEN',
  'MEDIA_TOO_LARGE',
  'OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED',
  'TEMPLATE_NAME_AMBIGUOUS',
  'TEMPLATE_COMPONENT_NOT_SUPPORTED',
  'MISSING_TEMPLATE_VARIABLES',
  'INVALID_TEMPLATE_VARIABLE_VALUE',
  'TEMPLATE_CARDS_MISMATCH',
  'TEMPLATE_CARD_MEDIA_URL_INVALID',
  'TEMPLATE_CARD_MEDIA_REFUSED',
  'TEMPLATE_MEDIA_REQUIRED',
  'FLOW_REQUIRES_OFFICIAL_NUMBER',
  'FLOW_NOT_FOUND',
  'FLOW_NOT_SENDABLE',
]

/** POST /v1/messages/send ([messages.send.1]). */
export function sendRoute({ messageCommands: messages, clock }: MessageDeps): Route {
  return route({
    method: 'post',
    path: '/v1/messages/send',
    name: 'sendMessage',
    group: 'Messages',
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:send',
    bucket: 'sends',
    isIdempotent: true,
    keepsFirstAnswer: true,
    bodyBytes: BODY_MEDIA_BYTES,
    summary: 'Send a message',
    description: DESCRIPTION,
    body: sendInput,
    bodyExamples: example.SEND,
    answer: {
      status: 202,
      description: 'The message is queued',
      schema: schema.acceptedMessage,
      example: example.ACCEPTED,
    },
    refusals: SEND_REFUSALS,
    async handle({ number, body, claim, client: { trace } }) {
      const answer = (message: NewMessage) => ({
        status: 202,
        body: JSON.stringify(present.presentAccepted(message, number.number)),
      })
      const order = unwrap(readOrder(body, number.provider, clock.now()))
      const sent = unwrap(await messages.send({ number, order, claim: claim && { request: claim, answer }, trace }))
      return sent.kind === 'accepted' ? { ...answer(sent.message), type: 'application/json' } : repeated(sent)
    },
  })
}

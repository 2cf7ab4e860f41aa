import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { BODY_MEDIA_BYTES } from '../../../domain/limits.ts'
import type { NumberRef } from '../../../domain/number.ts'
import type { IdempotentRequest } from '../../../ports/stores/idempotency-store.ts'
import type { NewMessage } from '../../../ports/stores/message-store.ts'
import type { HttpDeps } from '../../deps.ts'
import { repeatRefusal, replayed } from '../../first-answer.ts'
import { route } from '../../route.ts'
import type { Answer, Route } from '../../route.ts'
import { attach } from './attachments.ts'
import type { Attachments } from './attachments.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { mediaOf, newMessage } from './send-content.ts'
import { sendInput } from './send-schema.ts'
import { requireSendable } from './sendable.ts'

export type SendDeps = Pick<HttpDeps, 'messages' | 'files' | 'directory' | 'clock'>

const EXAMPLE = { destinationNumber: '+55 11 99999-0001', text: 'Your order is on its way', correlationId: 'order-4711' }
const DESCRIPTION = 'Answered once the message is stored; what becomes of it is told by message.sent, .delivered, .read and .failed, and by GET /v1/messages/{id}. '
  + 'Exactly one of `destinationNumber`, `groupId`, `newsletterId`, and exactly one of `text`, `media`, `carousel`, `templateId`. '
  + 'Messages to one destination are sent in order. Counted apart from other requests: 1,200 a minute. The body may have 25 MB.'
const SEND_REFUSALS: readonly RefusalCode[] = [
  'FEATURE_NOT_SUPPORTED', 'NOT_FOUND', 'MEDIA_URL_FORBIDDEN', 'MEDIA_TOO_LARGE', 'OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED',
]

/** POST /v1/messages/send (contract 4; spec: Messages). A plain text costs one statement. */
export function sendRoute(deps: SendDeps): Route {
  return route({
    method: 'post', path: '/v1/messages/send', name: 'sendMessage', group: 'Messages', access: 'number', bucket: 'sends',
    isIdempotent: true, keepsFirstAnswer: true, bodyBytes: BODY_MEDIA_BYTES,
    summary: 'Send a message', description: DESCRIPTION,
    body: sendInput, bodyExample: EXAMPLE,
    answer: { status: 202, description: 'The message is queued', schema: schema.acceptedMessage },
    refusals: SEND_REFUSALS,
    async handle({ number, body, claim }) {
      const nowMs = deps.clock.now()
      requireSendable(body, number, nowMs)
      const quotedMessageId = body.quotedMessageId ? await quotedOf(deps, number, body.quotedMessageId) : null
      const attachments = await attach(deps.files, number, mediaOf(body))
      const message = newMessage(body, number, quotedMessageId, attachments.items, nowMs)
      return accept(deps, number, message, attachments, claim)
    },
  })
}

/** Upstream's id of the message quoted. Anything but an id of ours is taken for one. */
async function quotedOf({ messages }: SendDeps, number: NumberRef, id: string): Promise<string> {
  if (!/^msg_[0-9a-z]{26}$/.test(id)) return id
  const quoted = await messages.find(number.id, id)
  if (quoted?.externalMessageId) return quoted.externalMessageId
  throw new RefusalError(refuse('NOT_FOUND', quoted ? 'The quoted message has not reached upstream' : 'The quoted message is not one of this number'))
}

/** Stores the message with its first answer. Should the statement fail, kept files stay for the purge: it may have been committed. */
async function accept(deps: SendDeps, number: NumberRef, message: NewMessage, attachments: Attachments, claim: IdempotentRequest | null): Promise<Answer> {
  const body = JSON.stringify(present.presentAccepted(message, number.number))
  const outcome = await deps.messages.accept(message, claim && { request: claim, answer: { status: 202, body } })
  if (outcome.kind === 'accepted') {
    if (message.deliverAt === null) deps.directory.sendsQueued(number.id)
    return { status: 202, body, type: 'application/json' }
  }
  await attachments.release()
  if (outcome.kind === 'replay') return replayed(outcome.answer)
  if (outcome.kind === 'gone') throw new RefusalError(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  throw new RefusalError(repeatRefusal(outcome.kind))
}

import { RefusalError, refuse } from '../../../domain/errors.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { changeRoutes } from './change.ts'
import type { MessageDeps } from './deps.ts'
import * as example from './examples.ts'
import { messageLists } from './lists.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { batchRoutes } from './batch.ts'
import { sendRoute } from './send.ts'
import { typingRoute } from './typing.ts'

const GROUP = 'Messages'

/** Messages of the key's number (docs/contract/messages.md). */
export function messageRoutes(deps: MessageDeps): Route[] {
  return [
    sendRoute(deps),
    ...batchRoutes(deps),
    read(deps),
    ...messageLists(deps),
    readMark(deps),
    cancel(deps),
    ...changeRoutes(deps),
    typingRoute(deps),
  ]
}

function read({ messageCommands: messages }: MessageDeps): Route {
  return route({
    method: 'get',
    path: '/v1/messages/{id}',
    name: 'getMessage',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:read',
    summary: 'Read what became of a message',
    description: 'A correlationId that several messages share means the newest.',
    params: schema.messageParams,
    answer: { status: 200, description: 'The message', schema: schema.message, examples: example.READ },
    refusals: ['NOT_FOUND'],
    async handle({ number, params }) {
      const message = params.id.length <= schema.MAX_MESSAGE_ID ? await messages.find(number.id, params.id) : null
      if (!message) throw new RefusalError(refuse('NOT_FOUND', 'No such message on this number'))
      return { status: 200, body: present.presentMessage(message) }
    },
  })
}

function cancel({ messageCommands: messages }: MessageDeps): Route {
  return route({
    method: 'delete',
    path: '/v1/messages/cancel',
    name: 'cancelMessages',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:send',
    summary: 'Cancel messages that wait for their deliverAt',
    description: 'Each one counts for itself: see `failed`.',
    body: schema.cancelInput,
    bodyExample: { messageIds: ['msg_01kb0000000000000000000000'] },
    answer: {
      status: 200,
      description: 'Which were canceled, and why others were not',
      schema: schema.canceled,
      example: example.CANCELED,
    },
    async handle({ number, body }) {
      const { cancelled, failed } = await messages.cancel(number.id, [...new Set(body.messageIds)])
      return { status: 200, body: { cancelled, failed: failed.map(({ id, reason }) => ({ id, reason })) } }
    },
  })
}

function readMark({ messageCommands: messages }: MessageDeps): Route {
  return route({
    method: 'post',
    path: '/v1/messages/read',
    name: 'markMessagesRead',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:send',
    summary: 'Mark messages as read',
    description: 'Stored at once, and told to upstream as soon as the number is connected now; not later.',
    body: schema.readInput,
    bodyExamples: example.MARK_READ,
    answer: {
      status: 200,
      description: 'How many were unread',
      schema: schema.readCount,
      example: example.MARKED_READ,
    },
    refusals: ['NOT_FOUND'],
    async handle({ number, body: { conversationId, messageIds } }) {
      const read = unwrap(
        await messages.markRead({
          numberId: number.id,
          ...(conversationId ? { conversationId } : { messageIds: messageIds ?? [] }),
        }),
      )
      return { status: 200, body: { read } }
    },
  })
}

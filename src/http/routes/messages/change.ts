import { DEVICE_OPS } from '../../../domain/device-ops.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import type { MessageDeps } from './deps.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { editInput } from './send-schema.ts'

/** What a change of a sent message may be refused with, beside what its number or its kind cannot. */
export const CHANGE_REFUSALS: readonly RefusalCode[] = [
  'NOT_FOUND',
  'MESSAGE_INVALID_STATE',
  'MESSAGE_TOO_OLD',
  'CHANNEL_INSTANCE_NOT_CONNECTED',
  'DEVICE_NETWORK_ERROR',
  'DEVICE_NETWORK_TIMEOUT',
  'BUSY',
]

/** Changes of messages that the number sent ([message-verbs.verbs.1] [message-verbs.verbs.2]). */
export function changeRoutes(deps: MessageDeps): Route[] {
  return [edit(deps), revoke(deps)]
}

function edit({ messageCommands: messages }: MessageDeps): Route {
  return route({
    method: 'patch',
    path: '/v1/messages/{id}',
    name: 'editMessage',
    group: 'Messages',
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:send',
    capability: DEVICE_OPS.editMessage.capability,
    summary: 'Edit the text of a sent message',
    description:
      'UNOFFICIAL numbers, until 15 minutes after it was sent; the number must be connected. Everybody who has the message sees the new text, and that it was edited. Answered once the change is stored.',
    params: schema.messageParams,
    body: editInput,
    bodyExample: example.EDIT,
    answer: { status: 200, description: 'The new text', schema: schema.editedMessage, example: example.EDITED_MESSAGE },
    refusals: [...CHANGE_REFUSALS, 'MESSAGE_NOT_TEXT'],
    async handle({ number, params, body: { text } }) {
      const message = unwrap(await messages.change({ numberId: number.id, anyId: knowable(params.id), text }))
      return { status: 200, body: present.presentEdited(message, text) }
    },
  })
}

function revoke({ messageCommands: messages }: MessageDeps): Route {
  return route({
    method: 'delete',
    path: '/v1/messages/{id}',
    name: 'revokeMessage',
    group: 'Messages',
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:send',
    capability: DEVICE_OPS.revokeMessage.capability,
    summary: 'Take a sent message back from everybody',
    description:
      'UNOFFICIAL numbers, until 48 hours after it was sent; the number must be connected. The item stays, empty, with `revokedAt`; message.revoked tells of it. What somebody read or saved before stays theirs. Answered once the change is stored. For messages that wait for their deliverAt: DELETE /v1/messages/cancel.',
    params: schema.messageParams,
    answer: {
      status: 200,
      description: 'The message was taken back',
      schema: schema.revokedMessage,
      example: example.REVOKED_MESSAGE,
    },
    refusals: CHANGE_REFUSALS,
    async handle({ number, params }) {
      const message = unwrap(await messages.change({ numberId: number.id, anyId: knowable(params.id), text: null }))
      return { status: 200, body: present.presentRevoked(message) }
    },
  })
}

/** An id that may be looked up. Throws 404 NOT_FOUND for one that is longer than any. */
function knowable(id: string): string {
  if (id.length <= schema.MAX_MESSAGE_ID) return id
  throw new RefusalError(refuse('NOT_FOUND', 'No such message on this number'))
}

import { DEVICE_OPS } from '../../../domain/device-ops.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { kindOf } from '../../../domain/kinds/kinds.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { assertKnowable } from '../phone-schema.ts'
import type { MessageDeps } from './deps.ts'
import * as example from './examples.ts'
import * as schema from './schema.ts'

/** What a route that shows typing may be refused with, beside what it checks itself. */
export const TYPING_REFUSALS: readonly RefusalCode[] = [
  'NOT_FOUND',
  'CHANNEL_INSTANCE_NOT_CONNECTED',
  'DEVICE_NETWORK_ERROR',
  'DEVICE_NETWORK_TIMEOUT',
  'OFFICIAL_ERROR',
  'OFFICIAL_REQUEST_REFUSED',
  'OFFICIAL_THROTTLED',
  'BUSY',
]

/** POST /v1/messages/typing ([message-verbs.verbs.3]). */
export function typingRoute({ messageCommands: messages }: MessageDeps): Route {
  return route({
    method: 'post',
    path: '/v1/messages/typing',
    name: 'showTyping',
    group: 'Messages',
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:send',
    capability: DEVICE_OPS.showTyping.capability,
    summary: 'Show that somebody is typing',
    description:
      'At most one a second is passed on to a contact; the others are answered with `forwarded: false`. The network ends it by itself after some seconds, or with the next message. On OFFICIAL numbers upstream shows it only with the read mark of the last message that came in, for 25 s, `recording` as `typing`, and has no word for `paused`. Stored nowhere.',
    body: schema.typingInput,
    bodyExamples: example.TYPING,
    answer: {
      status: 200,
      description: 'Whether it was passed on',
      schema: schema.typingShown,
      example: example.TYPING_SHOWN,
    },
    refusals: TYPING_REFUSALS,
    async handle({ number, body: { conversationId, to, state } }) {
      if (to?.includes('@') && !kindOf(number).can.groups)
        throw new RefusalError(
          refuse('FEATURE_NOT_SUPPORTED', `${number.provider} numbers have no groups`, { capability: 'groups' }),
        )
      assertKnowable(number.provider, to ?? '')
      const at = to ? { address: to } : { conversationId: conversationId ?? '' }
      const { forwarded, read } = unwrap(await messages.showTyping({ numberId: number.id, at, state }))
      return { status: 200, body: { forwarded, read } }
    },
  })
}

import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { typingStateInput } from '../messages/schema.ts'
import { TYPING_REFUSALS } from '../messages/typing.ts'
import type { InboxDeps } from './deps.ts'
import { INBOX_FACTS, INBOX_PATH } from './facts.ts'
import { idParams } from './schema.ts'

/** Shows in a conversation that a user of the inbox writes ([embeds.typing.1]). */
export function typingRoute({ inboxCommands: inbox }: InboxDeps): Route {
  return route({
    ...INBOX_FACTS,
    method: 'post',
    path: `${INBOX_PATH}/conversations/{id}/typing`,
    name: 'showInboxTyping',
    params: idParams,
    body: typingStateInput,
    summary: 'Show in a conversation that somebody is typing',
    answer: { status: 200, description: 'Whether it was passed on' },
    refusals: ['CONVERSATION_NOT_FOUND', 'NUMBER_NOT_FOUND', 'FEATURE_NOT_SUPPORTED', ...TYPING_REFUSALS],
    async handle({ embed: { tenantId, numberIds }, params, body: { state } }) {
      const conversation = unwrap(await inbox.conversation(numberIds, params.id))
      const { forwarded, read } = unwrap(await inbox.showTyping({ tenantId, conversation, state }))
      return { status: 200, body: { forwarded, read } }
    },
  })
}

import type { RefusalCode } from '../../../domain/errors.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { CHANGE_REFUSALS } from '../messages/change.ts'
import { presentEdited, presentRevoked } from '../messages/present.ts'
import { editInput } from '../messages/send-schema.ts'
import type { InboxDeps } from './deps.ts'
import { INBOX_FACTS, INBOX_PATH } from './facts.ts'
import { idParams } from './schema.ts'

const FACTS = { ...INBOX_FACTS, path: `${INBOX_PATH}/messages/{id}`, params: idParams } as const
const REFUSALS: readonly RefusalCode[] = [...CHANGE_REFUSALS, 'FEATURE_NOT_SUPPORTED']

/** Changes of sent messages: as any change of the number ([embeds.changes.1] [embeds.changes.2]). */
export function changeRoutes(deps: InboxDeps): Route[] {
  return [edit(deps), revoke(deps)]
}

function edit({ inboxCommands: inbox }: InboxDeps): Route {
  return route({
    ...FACTS,
    method: 'patch',
    name: 'editInboxMessage',
    body: editInput,
    summary: 'Edit the text of a sent message',
    answer: { status: 200, description: 'The new text' },
    refusals: [...REFUSALS, 'MESSAGE_NOT_TEXT'],
    async handle({ embed: { tenantId, numberIds }, params, body: { text } }) {
      const message = unwrap(await inbox.message(numberIds, params.id))
      return { status: 200, body: presentEdited(unwrap(await inbox.change({ tenantId, message, text })), text) }
    },
  })
}

function revoke({ inboxCommands: inbox }: InboxDeps): Route {
  return route({
    ...FACTS,
    method: 'delete',
    name: 'revokeInboxMessage',
    summary: 'Take a sent message back from everybody',
    answer: { status: 200, description: 'The message was taken back' },
    refusals: REFUSALS,
    async handle({ embed: { tenantId, numberIds }, params }) {
      const message = unwrap(await inbox.message(numberIds, params.id))
      return { status: 200, body: presentRevoked(unwrap(await inbox.change({ tenantId, message, text: null }))) }
    },
  })
}

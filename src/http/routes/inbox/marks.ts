import type { ConversationMarks } from '../../../ports/stores/conversation-mark-store.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import type { InboxDeps } from './deps.ts'
import { INBOX_FACTS, INBOX_PATH } from './facts.ts'
import { presentInboxConversation } from './present.ts'
import * as schema from './schema.ts'

/** What the inbox notes of a conversation: that it was read, is to be read again, is archived or is not any more. */
export function markRoutes(deps: InboxDeps): Route[] {
  return [
    markRead(deps),
    mark(deps, {
      verb: 'unread',
      name: 'unreadInboxConversation',
      summary: 'Mark a conversation as unread',
      marks: { isMarkedUnread: true },
    }),
    mark(deps, {
      verb: 'archive',
      name: 'archiveInboxConversation',
      summary: 'Archive a conversation until a message comes in',
      marks: { isArchived: true },
    }),
    mark(deps, {
      verb: 'unarchive',
      name: 'unarchiveInboxConversation',
      summary: 'Take a conversation out of the archive',
      marks: { isArchived: false },
    }),
  ]
}

function markRead({ inboxCommands: inbox }: InboxDeps): Route {
  return route({
    ...INBOX_FACTS,
    method: 'post',
    path: `${INBOX_PATH}/conversations/{id}/read`,
    name: 'readInboxConversation',
    params: schema.idParams,
    summary: 'Mark a conversation as read',
    answer: { status: 200, description: 'How many messages were unread' },
    refusals: ['CONVERSATION_NOT_FOUND'],
    async handle({ embed, params }) {
      const marked = unwrap(await inbox.conversation(embed.numberIds, params.id))
      const read = unwrap(await inbox.markRead(marked))
      return { status: 200, body: { read } }
    },
  })
}

interface Mark {
  /** The last part of the path. */
  readonly verb: string
  readonly name: string
  readonly summary: string
  readonly marks: ConversationMarks
}

function mark({ inboxCommands: inbox, clock }: InboxDeps, { verb, name, summary, marks }: Mark): Route {
  return route({
    ...INBOX_FACTS,
    method: 'post',
    path: `${INBOX_PATH}/conversations/{id}/${verb}`,
    name,
    params: schema.idParams,
    summary,
    answer: { status: 200, description: 'The conversation' },
    refusals: ['CONVERSATION_NOT_FOUND'],
    async handle({ embed, params }) {
      const found = unwrap(await inbox.conversation(embed.numberIds, params.id))
      return { status: 200, body: presentInboxConversation(unwrap(await inbox.mark(found, marks)), clock.now()) }
    },
  })
}

import type { EmbedSession } from '../../../domain/embed-session.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { NumberId } from '../../../domain/ids.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { presentCannedReply } from '../canned-replies/canned-replies.ts'
import { presentTemplate } from '../templates/present.ts'
import type { InboxDeps } from './deps.ts'
import { INBOX_FACTS, INBOX_PATH } from './facts.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

/** Reads of the inbox. */
export function readRoutes(deps: InboxDeps): Route[] {
  return [
    conversations(deps),
    conversation(deps),
    messages(deps),
    media(deps),
    search(deps),
    templates(deps),
    cannedReplies(deps),
  ]
}

/** The numbers of the session, or the one asked for. Throws 404 NUMBER_NOT_FOUND when that is not among them. */
function numbersOf({ numberIds }: EmbedSession, wanted: string | undefined): readonly NumberId[] {
  if (wanted === undefined) return numberIds
  const found = numberIds.filter((id) => id === wanted)
  if (found.length === 0) throw new RefusalError(refuse('NUMBER_NOT_FOUND', 'No such number in this session'))
  return found
}

function conversations({ inboxCommands: inbox, clock }: InboxDeps): Route {
  return route({
    ...INBOX_FACTS,
    method: 'get',
    path: `${INBOX_PATH}/conversations`,
    name: 'listInboxConversations',
    query: schema.conversationsQuery,
    summary: 'List conversations, last active first',
    answer: { status: 200, description: 'A page of conversations' },
    async handle({ embed, query: { filter, numberId, search: text, limit, before } }) {
      const { items, next } = await inbox.conversations(numbersOf(embed, numberId), {
        filter,
        search: text?.trim() || null,
        limit,
        before: before ?? null,
      })
      return {
        status: 200,
        body: {
          conversations: items.map((item) => present.presentInboxConversation(item, clock.now())),
          nextBefore: next && schema.placeText(next),
        },
      }
    },
  })
}

function conversation({ inboxCommands: inbox, clock }: InboxDeps): Route {
  return route({
    ...INBOX_FACTS,
    method: 'get',
    path: `${INBOX_PATH}/conversations/{id}`,
    name: 'getInboxConversation',
    params: schema.idParams,
    summary: 'Read a conversation',
    answer: { status: 200, description: 'The conversation' },
    refusals: ['CONVERSATION_NOT_FOUND'],
    async handle({ embed, params }) {
      return {
        status: 200,
        body: present.presentInboxConversation(
          unwrap(await inbox.conversation(embed.numberIds, params.id)),
          clock.now(),
        ),
      }
    },
  })
}

function messages({ inboxCommands: inbox }: InboxDeps): Route {
  return route({
    ...INBOX_FACTS,
    method: 'get',
    path: `${INBOX_PATH}/conversations/{id}/messages`,
    name: 'listInboxMessages',
    params: schema.idParams,
    query: schema.messagesQuery,
    summary: 'Read messages of a conversation, newest first',
    answer: { status: 200, description: 'Messages' },
    refusals: ['CONVERSATION_NOT_FOUND'],
    async handle({ embed, params, query }) {
      const span = await inbox.messages(embed.numberIds, params.id, schema.messageQueryOf(query))
      if (!span)
        throw new RefusalError(refuse('CONVERSATION_NOT_FOUND', 'No such conversation, or no such message in it'))
      return {
        status: 200,
        body: {
          messages: span.messages.map(present.presentInboxMessage),
          hasOlder: span.hasOlder,
          hasNewer: span.hasNewer,
        },
      }
    },
  })
}

function media({ inboxCommands: inbox }: InboxDeps): Route {
  return route({
    ...INBOX_FACTS,
    method: 'get',
    path: `${INBOX_PATH}/messages/{id}/media`,
    name: 'readInboxMedia',
    params: schema.idParams,
    query: schema.mediaQuery,
    summary: 'Read the file of a message',
    answer: {
      status: 200,
      description: 'The file, or a range of it',
      fileTypes: ['image/*', 'audio/*', 'video/*', 'application/octet-stream'],
    },
    refusals: ['NOT_FOUND', 'MEDIA_GONE'],
    async handle({ embed, params, query: { card } }) {
      const message = unwrap(await inbox.message(embed.numberIds, params.id))
      const file = unwrap(
        card === undefined
          ? await inbox.readMedia(embed.tenantId, message)
          : await inbox.readCardPicture(embed.tenantId, message, card),
      )
      return { status: 200, body: null, file: { path: file.path, fileName: file.fileName }, type: file.mimeType }
    },
  })
}

function search({ inboxCommands: inbox, clock }: InboxDeps): Route {
  return route({
    ...INBOX_FACTS,
    method: 'get',
    path: `${INBOX_PATH}/search`,
    name: 'searchInbox',
    query: schema.searchQuery,
    summary: 'Search names, numbers and texts',
    answer: { status: 200, description: 'What was found, newest first' },
    async handle({ embed, query: { q, numberId, conversationId } }) {
      const found = await inbox.search(numbersOf(embed, numberId), q, conversationId ?? null)
      const shown = (one: Parameters<typeof present.presentInboxConversation>[0]) =>
        present.presentInboxConversation(one, clock.now())
      return {
        status: 200,
        body: {
          conversations: found.conversations.map(shown),
          messages: found.messages.map((one) => ({
            message: present.presentInboxMessage(one.message),
            conversation: shown(one.conversation),
          })),
        },
      }
    },
  })
}

function cannedReplies({ cannedReplies: kept }: InboxDeps): Route {
  return route({
    ...INBOX_FACTS,
    method: 'get',
    path: `${INBOX_PATH}/canned-replies`,
    name: 'listInboxCannedReplies',
    summary: 'List texts to answer with',
    answer: { status: 200, description: 'All of the account, by shortcut' },
    async handle({ embed }) {
      return { status: 200, body: { cannedReplies: (await kept.list(embed.tenantId)).map(presentCannedReply) } }
    },
  })
}

function templates({ inboxCommands: inbox }: InboxDeps): Route {
  return route({
    ...INBOX_FACTS,
    method: 'get',
    path: `${INBOX_PATH}/templates`,
    name: 'listInboxTemplates',
    query: schema.templatesQuery,
    summary: 'List templates that can be sent',
    answer: { status: 200, description: 'Templates' },
    refusals: ['NUMBER_NOT_FOUND'],
    async handle({ embed, query: { numberId, search: name } }) {
      const [id] = numbersOf(embed, numberId)
      const found = unwrap(await inbox.templates(embed.tenantId, id ?? null, name?.trim() || null))
      return { status: 200, body: { templates: found.map(presentTemplate) } }
    },
  })
}

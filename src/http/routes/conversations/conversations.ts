import type { NumberStore } from '../../../ports/stores/number-store.ts'
import type { MessageStore } from '../../../ports/stores/message-store.ts'
import { findNumber } from '../../middlewares/number-known.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { PAGE_CODES, pageOf, presentPaged } from '../paging.ts'
import { SAMPLE } from '../samples.ts'
import { presentConversation } from './present.ts'
import * as schema from './schema.ts'

const EXAMPLE = {
  conversations: [
    {
      id: SAMPLE.conversationId,
      type: 'DIRECT',
      from: SAMPLE.peer,
      fromName: 'Ana',
      identities: [{ kind: 'PHONE', value: SAMPLE.peer, since: SAMPLE.createdAt }],
      unreadCount: 1,
      lastMessageAt: SAMPLE.later,
      lastMessagePreview: 'Good morning',
      windowExpiresAt: null,
      createdAt: SAMPLE.createdAt,
    },
  ],
  total: 1,
  page: 1,
  pageSize: 30,
  totalPages: 1,
}

export interface ConversationDeps {
  readonly messages: MessageStore
  readonly numbers: NumberStore
}

/** Conversations of the key's number ([messages.routes.7]). */
export function conversationRoutes({ messages, numbers }: ConversationDeps): Route[] {
  const list = route({
    method: 'get',
    path: '/v1/conversations',
    name: 'listConversations',
    group: 'Conversations',
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:read',
    summary: 'List conversations, last active first',
    query: schema.listQuery,
    queryCodes: PAGE_CODES,
    answer: { status: 200, description: 'A page of conversations', schema: schema.conversationPage, example: EXAMPLE },
    async handle({ caller, number, query }) {
      const page = pageOf(query)
      const [row, { items, total }] = await Promise.all([
        findNumber(numbers, caller, number.id),
        messages.conversations(number.id, page),
      ])
      const isWithheld = items.some(({ peer }) => peer === null)
      return {
        status: 200,
        body: presentPaged({ conversations: items.map(presentConversation) }, total, page, row, isWithheld),
      }
    },
  })
  return [list]
}

import type { HttpDeps } from '../../deps.ts'
import { findNumber } from '../../middlewares/number-known.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import { PAGE_CODES, pageOf, presentPaged } from '../paging.ts'
import { presentConversation } from './present.ts'
import * as schema from './schema.ts'

/** Conversations of the key's number (contract 4). */
export function conversationRoutes({ messages, numbers }: Pick<HttpDeps, 'messages' | 'numbers'>): Route[] {
  const list = route({
    method: 'get', path: '/v1/conversations', name: 'listConversations', group: 'Conversations', access: 'number',
    summary: 'List conversations, last active first',
    query: schema.listQuery, queryCodes: PAGE_CODES,
    answer: { status: 200, description: 'A page of conversations', schema: schema.conversationPage },
    async handle({ caller, number, query }) {
      const page = pageOf(query)
      const [row, { items, total }] = await Promise.all([findNumber(numbers, caller, number.id), messages.conversations(number.id, page)])
      const isWithheld = items.some(({ peer }) => peer === null)
      return { status: 200, body: presentPaged({ conversations: items.map(presentConversation) }, total, page, row, isWithheld) }
    },
  })
  return [list]
}

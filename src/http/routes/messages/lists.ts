import type { Caller } from '../../../domain/caller.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { ChannelNumber } from '../../../domain/number.ts'
import type { ListedMessage, Paged } from '../../../ports/stores/message-store.ts'
import { findNumber } from '../../middlewares/number-known.ts'
import { route } from '../../request/route.ts'
import type { Answer, Route } from '../../request/route.ts'
import { RANGE_CODES } from '../date-range.ts'
import { assertKnowable } from '../phone-schema.ts'
import { PAGE_CODES, pageOf, presentPaged } from '../paging.ts'
import type { PageNumbers } from '../paging.ts'
import type { MessageDeps } from './deps.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

const GROUP = 'Messages'
const RANGE = 'startDate=2026-01-01&endDate=2030-01-31'

/** Lists of messages of the key's number ([messages.routes.3] to [messages.routes.5]). */
export function messageLists(deps: MessageDeps): Route[] {
  return [history(deps), unread(deps), ofGroups(deps)]
}

function history(deps: MessageDeps): Route {
  return route({
    method: 'get',
    path: '/v1/messages/history',
    name: 'listMessages',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:read',
    summary: 'List messages, newest first',
    description: 'Direct and group messages of one direction.',
    query: schema.historyQuery,
    queryCodes: { ...RANGE_CODES, ...PAGE_CODES },
    queryExample: `${RANGE}&direction=OUTBOUND`,
    answer: { status: 200, description: 'A page of messages', schema: schema.messagePage, example: example.HISTORY },
    refusals: ['FEATURE_NOT_SUPPORTED'],
    async handle({ caller, number, query }) {
      assertKnowable(number.provider, query.peer ?? '')
      return await listed(deps, caller, number.id, pageOf(query), (page) =>
        deps.messageCommands.history(number.id, {
          ...page,
          startDate: query.startDate ?? null,
          endDate: query.endDate ?? null,
          direction: query.direction ?? 'INBOUND',
          peer: query.peer ?? null,
        }),
      )
    },
  })
}

function unread(deps: MessageDeps): Route {
  return route({
    method: 'get',
    path: '/v1/messages/unread',
    name: 'listUnreadMessages',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:read',
    summary: 'List unread messages, newest first',
    description: '`total` is the sum of the unread counts of all conversations.',
    query: schema.unreadQuery,
    queryCodes: PAGE_CODES,
    answer: { status: 200, description: 'A page of messages', schema: schema.messagePage, example: example.UNREAD },
    handle: ({ caller, number, query }) =>
      listed(deps, caller, number.id, pageOf(query), (page) => deps.messageCommands.unread(number.id, page)),
  })
}

function ofGroups(deps: MessageDeps): Route {
  return route({
    method: 'get',
    path: '/v1/messages/group',
    name: 'listGroupMessages',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:read',
    summary: 'List messages of groups, newest first',
    description: 'Of one direction.',
    query: schema.groupQuery,
    queryCodes: { ...RANGE_CODES, ...PAGE_CODES },
    queryExample: RANGE,
    answer: { status: 200, description: 'A page of messages', schema: schema.messagePage, example: example.OF_GROUPS },
    handle: ({ caller, number, query }) =>
      listed(deps, caller, number.id, pageOf(query), (page) =>
        deps.messageCommands.ofGroups(number.id, {
          ...page,
          startDate: query.startDate ?? null,
          endDate: query.endDate ?? null,
          direction: query.direction ?? 'INBOUND',
          groupId: query.groupId ?? null,
        }),
      ),
  })
}

/** Answers a page of messages. The number is read for its privacy mode, which decides the notice. */
async function listed(
  { numbers }: MessageDeps,
  caller: Caller,
  numberId: NumberId,
  page: PageNumbers,
  list: (page: PageNumbers) => Promise<Paged<ListedMessage>>,
): Promise<Answer> {
  const [number, { items, total }]: [ChannelNumber, Paged<ListedMessage>] = await Promise.all([
    findNumber(numbers, caller, numberId),
    list(page),
  ])
  const isWithheld = items.some(({ isRedacted }) => isRedacted)
  return {
    status: 200,
    body: presentPaged({ messages: items.map(present.presentItem) }, total, page, number, isWithheld),
  }
}

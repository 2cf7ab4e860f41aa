import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { Caller, ChannelNumber } from '../../../domain/number.ts'
import type { ListedMessage, Paged } from '../../../ports/stores/message-store.ts'
import type { HttpDeps } from '../../deps.ts'
import { findNumber } from '../../middlewares/number-known.ts'
import { route } from '../../route.ts'
import type { Answer, Route } from '../../route.ts'
import { RANGE_CODES } from '../date-range.ts'
import { PAGE_CODES, pageOf, presentPaged } from '../paging.ts'
import type { PageNumbers } from '../paging.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { sendRoute } from './send.ts'
import type { SendDeps } from './send.ts'

type Deps = SendDeps & Pick<HttpDeps, 'numbers' | 'log'>

const GROUP = 'Messages'
const RANGE = 'startDate=2026-01-01&endDate=2030-01-31'

/** Messages of the key's number (contract 4; spec: Messages). */
export function messageRoutes(deps: Deps): Route[] {
  return [sendRoute(deps), history(deps), unread(deps), ofGroups(deps), cancel(deps), markRead(deps), read(deps)]
}

function read({ messages }: Deps): Route {
  return route({
    method: 'get', path: '/v1/messages/{id}', name: 'getMessage', group: GROUP, access: 'number',
    summary: 'Read what became of a message', description: 'A correlationId that several messages share means the newest.',
    params: schema.messageParams,
    answer: { status: 200, description: 'The message', schema: schema.message },
    refusals: ['NOT_FOUND'],
    async handle({ number, params }) {
      const message = params.id.length <= schema.MAX_MESSAGE_ID ? await messages.find(number.id, params.id) : null
      if (!message) throw new RefusalError(refuse('NOT_FOUND', 'No such message on this number'))
      return { status: 200, body: present.presentMessage(message) }
    },
  })
}

function cancel({ messages }: Deps): Route {
  return route({
    method: 'delete', path: '/v1/messages/cancel', name: 'cancelMessages', group: GROUP, access: 'number',
    summary: 'Cancel messages that wait for their deliverAt', description: 'Each one counts for itself: see `failed`.',
    body: schema.cancelInput, bodyExample: { messageIds: ['msg_01kb0000000000000000000000'] },
    answer: { status: 200, description: 'Which were canceled, and why others were not', schema: schema.canceled },
    async handle({ number, body }) {
      const { cancelled, failed } = await messages.cancel(number.id, [...new Set(body.messageIds)])
      return { status: 200, body: { cancelled, failed: failed.map(({ id, reason }) => ({ id, reason })) } }
    },
  })
}

function history(deps: Deps): Route {
  return route({
    method: 'get', path: '/v1/messages/history', name: 'listMessages', group: GROUP, access: 'number',
    summary: 'List messages, newest first', description: 'Direct and group messages of one direction.',
    query: schema.historyQuery, queryCodes: { ...RANGE_CODES, ...PAGE_CODES }, queryExample: `${RANGE}&direction=OUTBOUND`,
    answer: { status: 200, description: 'A page of messages', schema: schema.messagePage },
    handle: ({ caller, number, query }) => listed(deps, caller, number.id, pageOf(query), (page) => deps.messages.history(number.id, {
      ...page, startDate: query.startDate ?? null, endDate: query.endDate ?? null, direction: query.direction ?? 'INBOUND', peer: query.peer ?? null,
    })),
  })
}

function unread(deps: Deps): Route {
  return route({
    method: 'get', path: '/v1/messages/unread', name: 'listUnreadMessages', group: GROUP, access: 'number',
    summary: 'List unread messages, newest first', description: '`total` is the sum of the unread counts of all conversations.',
    query: schema.unreadQuery, queryCodes: PAGE_CODES,
    answer: { status: 200, description: 'A page of messages', schema: schema.messagePage },
    handle: ({ caller, number, query }) => listed(deps, caller, number.id, pageOf(query), (page) => deps.messages.unread(number.id, page)),
  })
}

function ofGroups(deps: Deps): Route {
  return route({
    method: 'get', path: '/v1/messages/group', name: 'listGroupMessages', group: GROUP, access: 'number',
    summary: 'List messages of groups, newest first', description: 'Of one direction.',
    query: schema.groupQuery, queryCodes: { ...RANGE_CODES, ...PAGE_CODES }, queryExample: RANGE,
    answer: { status: 200, description: 'A page of messages', schema: schema.messagePage },
    handle: ({ caller, number, query }) => listed(deps, caller, number.id, pageOf(query), (page) => deps.messages.ofGroups(number.id, {
      ...page, startDate: query.startDate ?? null, endDate: query.endDate ?? null, direction: query.direction ?? 'INBOUND', groupId: query.groupId ?? null,
    })),
  })
}

/** A page of messages. The number is read for its privacy mode, which decides the notice. */
async function listed(
  { numbers }: Deps, caller: Caller, numberId: NumberId, page: PageNumbers, list: (page: PageNumbers) => Promise<Paged<ListedMessage>>,
): Promise<Answer> {
  const [number, { items, total }]: [ChannelNumber, Paged<ListedMessage>] = await Promise.all([findNumber(numbers, caller, numberId), list(page)])
  const isWithheld = items.some(({ isRedacted }) => isRedacted)
  return { status: 200, body: presentPaged({ messages: items.map(present.presentItem) }, total, page, number, isWithheld) }
}

function markRead(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/messages/read', name: 'markMessagesRead', group: GROUP, access: 'number',
    summary: 'Mark messages as read', description: 'Stored at once, and told to upstream as soon as the number is connected now; not later.',
    body: schema.readInput, bodyExample: { messageIds: ['msg_01kb0000000000000000000000'] },
    answer: { status: 200, description: 'How many were unread', schema: schema.readCount },
    refusals: ['NOT_FOUND'],
    async handle({ number, body }) {
      const mark = body.conversationId
        ? await deps.messages.markConversationRead(number.id, body.conversationId)
        : await deps.messages.markRead(number.id, [...new Set(body.messageIds ?? [])])
      if (!mark) throw new RefusalError(refuse('NOT_FOUND', 'No such conversation on this number'))
      if (mark.externalMessageIds.length > 0) tellRead(deps, number.id, mark.externalMessageIds)
      return { status: 200, body: { read: mark.count } }
    },
  })
}

/** Best effort, behind the answer: our rows say that they are read, whatever upstream hears. */
function tellRead({ directory, log }: Deps, numberId: NumberId, externalMessageIds: readonly string[]): void {
  const note = (code: string) => log.info({ numberId, code }, 'messages were read, but upstream was not told')
  directory.askNumber(numberId, 'ReadMessages', { externalMessageIds })
    .then((outcome) => (outcome.ok ? undefined : note(outcome.error.code)), () => note('FAILED'))
}

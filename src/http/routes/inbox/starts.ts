import type { EmbedSession } from '../../../domain/embed-session.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { ConversationId, NumberId } from '../../../domain/ids.ts'
import type { NewMessage } from '../../../ports/stores/message-store.ts'
import { repeated } from '../../request/first-answer.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import type { InboxDeps } from './deps.ts'
import { INBOX_FACTS, INBOX_PATH } from './facts.ts'
import { presentInboxConversation, presentSent } from './present.ts'
import * as schema from './schema.ts'

const FACTS = {
  ...INBOX_FACTS,
  path: `${INBOX_PATH}/numbers/{id}/conversations`,
  params: schema.idParams,
  isStart: true,
} as const

/** Conversations that users of the inbox begin, where the session lets them ([embeds.starts.1]). */
export function startRoutes(deps: InboxDeps): Route[] {
  return [findWith(deps), start(deps)]
}

function findWith({ inboxCommands: inbox, clock }: InboxDeps): Route {
  return route({
    ...FACTS,
    method: 'get',
    name: 'findInboxConversation',
    query: schema.withQuery,
    summary: 'Find the conversation with somebody, and what may be written',
    answer: { status: 200, description: 'The conversation, null while there is none' },
    refusals: ['NUMBER_NOT_FOUND', 'FEATURE_NOT_SUPPORTED'],
    async handle({ embed, params, query: { with: address } }) {
      const numberId = numberOf(embed, params.id)
      const found = unwrap(await inbox.conversationWith({ tenantId: embed.tenantId, numberId, address }))
      const { conversation, canSend } = found
      const shown = conversation && presentInboxConversation(conversation, clock.now())
      return { status: 200, body: { address, conversation: shown, canSend } }
    },
  })
}

function start({ inboxCommands: inbox }: InboxDeps): Route {
  const answer = (message: NewMessage, conversationId: ConversationId) => ({
    status: 202,
    body: JSON.stringify({ ...presentSent(message), conversationId }),
  })
  return route({
    ...FACTS,
    method: 'post',
    bucket: 'sends',
    isIdempotent: true,
    keepsFirstAnswer: true,
    name: 'startInboxConversation',
    body: schema.startInput,
    summary: 'Send the first message to somebody',
    answer: { status: 202, description: 'The message is queued' },
    refusals: ['NUMBER_NOT_FOUND', 'FEATURE_NOT_SUPPORTED', 'OFFICIAL_OUTSIDE_24H_WINDOW', 'NOT_FOUND'],
    async handle({ embed, params, body: { destinationNumber: address, ...body }, claim }) {
      const started = await inbox.start({
        tenantId: embed.tenantId,
        numberId: numberOf(embed, params.id),
        address,
        body,
        claim: (id) => claim && { request: claim, answer: (message) => answer(message, id) },
      })
      const { sent, conversationId } = unwrap(started)
      return sent.kind === 'accepted'
        ? { ...answer(sent.message, conversationId), type: 'application/json' }
        : repeated(sent)
    },
  })
}

/** The number of the session that the path names. Throws 404 NUMBER_NOT_FOUND when it is not among them. */
function numberOf({ numberIds }: EmbedSession, wanted: string): NumberId {
  const found = numberIds.find((id) => id === wanted)
  if (found === undefined) throw new RefusalError(refuse('NUMBER_NOT_FOUND', 'No such number in this session'))
  return found
}

import type { InboxCommands } from '../../../commands/inbox/inbox.ts'
import { RefusalError } from '../../../domain/errors.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { invalidBody } from '../../../domain/fault.ts'
import { DOCUMENT_BYTES } from '../../../domain/limits.ts'
import type { NewMessage } from '../../../ports/stores/message-store.ts'
import { repeated } from '../../request/first-answer.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import type { InboxDeps } from './deps.ts'
import { INBOX_FACTS, INBOX_PATH } from './facts.ts'
import { presentSent } from './present.ts'
import * as schema from './schema.ts'

const FACTS = { ...INBOX_FACTS, method: 'post', bucket: 'sends', isIdempotent: true, keepsFirstAnswer: true } as const
const REFUSALS: readonly RefusalCode[] = [
  'FEATURE_NOT_SUPPORTED',
  'OFFICIAL_OUTSIDE_24H_WINDOW',
  'NOT_FOUND',
  'CONVERSATION_NOT_FOUND',
]

/** our choice, in ms: enough for the largest document over a slow line. */
const UPLOAD_MS = 10 * 60_000

/** Sends of the inbox: accepted as any send of the number. */
export function sendRoutes({ inboxCommands: inbox }: InboxDeps): Route[] {
  return [send(inbox), retry(inbox)]
}

function send(inbox: InboxCommands): Route {
  const answer = (message: NewMessage) => ({ status: 202, body: JSON.stringify(presentSent(message)) })
  return route({
    ...FACTS,
    path: `${INBOX_PATH}/conversations/{id}/messages`,
    name: 'sendInboxMessage',
    params: schema.idParams,
    body: schema.inboxSendInput,
    takesFile: { field: 'file', maxBytes: DOCUMENT_BYTES, texts: schema.BESIDE_FILE, withinMs: UPLOAD_MS },
    summary: 'Send a message',
    answer: { status: 202, description: 'The message is queued' },
    refusals: REFUSALS,
    async handle({ embed, params, body, claim, sentFile, client: { trace } }) {
      if (sentFile) refuseBesideFile(body)
      const conversation = unwrap(await inbox.conversation(embed.numberIds, params.id))
      const adopted = sentFile && (await inbox.adopt(sentFile.path, sentFile.sizeBytes))
      try {
        const sentBody = adopted
          ? { ...body, media: adopted.standIn, ...schema.fileNameOf(body.mediaType, sentFile) }
          : body
        const sent = unwrap(
          await inbox.send({
            tenantId: embed.tenantId,
            conversation,
            body: sentBody,
            claim: claim && { request: claim, answer },
            trace,
          }),
        )
        return sent.kind === 'accepted' ? { ...answer(sent.message), type: 'application/json' } : repeated(sent)
      } finally {
        adopted?.drop()
      }
    },
  })
}

function refuseBesideFile(body: Readonly<Partial<Record<(typeof schema.NOT_BESIDE_FILE)[number], unknown>>>): void {
  const stray = schema.NOT_BESIDE_FILE.filter((name) => body[name] !== undefined)
  if (stray.length > 0)
    throw new RefusalError(
      invalidBody(stray.map((path) => ({ path, message: 'cannot go together with a file: a message is one thing' }))),
    )
}

function retry(inbox: InboxCommands): Route {
  return route({
    ...FACTS,
    path: `${INBOX_PATH}/messages/{id}/retry`,
    name: 'retryInboxMessage',
    params: schema.idParams,
    summary: 'Send a failed message again',
    answer: { status: 202, description: 'The new message is queued' },
    refusals: [...REFUSALS, 'MESSAGE_INVALID_STATE', 'MEDIA_GONE_OF_RETRY'],
    async handle({ embed, params, claim }) {
      const message = unwrap(await inbox.message(embed.numberIds, params.id))
      const conversation = unwrap(await inbox.conversation(embed.numberIds, message.conversationId))
      const answer = (made: NewMessage) => ({
        status: 202,
        body: JSON.stringify({ ...presentSent(made), retryOf: message.id }),
      })
      const sent = unwrap(
        await inbox.retry({
          tenantId: embed.tenantId,
          conversation,
          message,
          claim: claim && { request: claim, answer },
        }),
      )
      return sent.kind === 'accepted' ? { ...answer(sent.message), type: 'application/json' } : repeated(sent)
    },
  })
}

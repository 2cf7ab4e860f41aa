import { fail, succeed } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { ProviderSession, SendableMedia, SendableMessage, SendResult } from '../../../ports/provider.ts'
import type { Graph, GraphAnswer } from '../client/graph.ts'
import { refusalOf, unreadable } from '../errors/error-map.ts'
import { namedPeers } from '../inbound/named-peers.ts'
import { plainFailure } from '../errors/message-errors.ts'
import { messageBody, uploadsOf } from '../message/body.ts'
import { messageIdOf } from '../message/message-id.ts'
import { recipientOf } from '../message/recipient.ts'
import { sendResultOf } from '../message/send-result.ts'
import type { MediaUploads, Upload } from '../message/uploads.ts'
import type { marketingOps } from './marketing.ts'

type MessageOps = Pick<ProviderSession, 'sendText' | 'sendMessage' | 'markRead' | 'devices'>

/**
 * Our choice: most requests that one reading costs. Upstream marks earlier messages of the same thread as read too, so
 * the newest matter; it does not say which ids share a thread.
 */
const READ_MARKS = 20

/**
 * Messages, over `/{phone id}/messages` and what `outgoing` knows beside it. A send is never repeated here, because
 * upstream has no idempotency key.
 */
export function messageOps(
  graph: Graph,
  credentials: OfficialCredentials,
  uploads: MediaUploads,
  outgoing: ReturnType<typeof marketingOps>,
): MessageOps {
  const post = (op: string, body: Readonly<Record<string, unknown>>, isRepeatable: boolean): Promise<GraphAnswer> =>
    graph.ask(credentials, {
      op,
      method: 'POST',
      path: [credentials.phoneId, 'messages'],
      body,
      isRepeatable,
      lane: 'messages',
    })
  async function attempt(message: SendableMessage): Promise<Attempt> {
    const media = uploadsOf(message.content)
    const taken = await uploadAll(uploads, credentials, media)
    if (!taken.ok) return { result: taken.result, isStale: false }
    const body = messageBody(message, taken.mediaIds)
    const answered = body === null ? NO_SUCH_MESSAGE : sentOf(await outgoing.send(message.content, body))
    const result = message.content.mode === 'template' && media.length === 0 ? withoutFile(answered) : answered
    const isStale = taken.isKept && result.kind === 'refused' && STALE_CODES.has(result.failure.upstreamCode)
    if (isStale)
      await Promise.all(media.map((file, index) => uploads.forget(credentials, file, taken.mediaIds[index] ?? '')))
    return { result, isStale }
  }
  return {
    async sendText(to, text, messageId) {
      const answer = await post(
        'message.send',
        {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          ...recipientOf(to),
          type: 'text',
          text: { body: text },
          biz_opaque_callback_data: messageId,
        },
        false,
      )
      if (!answer.ok) return fail(refusalOf(answer.failure))
      const externalMessageId = messageIdOf(answer.body)
      return externalMessageId === null
        ? fail(unreadable('The answer holds no message id.'))
        : succeed({ externalMessageId })
    },
    async sendMessage(message) {
      if (messageBody(message, []) === null) return NO_SUCH_MESSAGE
      const first = await attempt(message)
      // The refusal means that nothing was sent: one more try with fresh uploads is safe.
      return first.isStale ? (await attempt(message)).result : first.result
    },
    async markRead(externalMessageIds) {
      const newest = [...new Set(externalMessageIds)].slice(-READ_MARKS).toReversed()
      const marks = await Promise.all(
        newest.map((id) =>
          post('message.read', { messaging_product: 'whatsapp', status: 'read', message_id: id }, true),
        ),
      )
      return firstRefusal(marks)
    },
    devices: {
      // Upstream shows it for 25 s with the read mark of a message, and has no word for its end
      // ([message-verbs.verbs.3]).
      async showTyping({ state, lastInboundId }) {
        if (state === 'paused' || lastInboundId === null) return succeed({ forwarded: false, read: false })
        const answer = await post(
          'message.typing',
          {
            messaging_product: 'whatsapp',
            status: 'read',
            message_id: lastInboundId,
            typing_indicator: { type: 'text' },
          },
          true,
        )
        return answer.ok ? succeed({ forwarded: true, read: true }) : fail(refusalOf(answer.failure))
      },
    },
  }
}

const NO_SUCH_MESSAGE: SendResult = {
  kind: 'refused',
  failure: plainFailure(
    'OFFICIAL_ERROR',
    'The official platform has no such message: groups, channels, these buttons, or a template it does not know.',
  ),
}

interface Attempt {
  readonly result: SendResult
  /** True when the refusal may blame a file that upstream has lost. */
  readonly isStale: boolean
}

/**
 * Upstream's code for a file that it cannot use; for a message without files it means that the template is not approved
 * yet ([templates.send-failures.1]).
 */
const BAD_FILE = 131053

function withoutFile(result: SendResult): SendResult {
  if (result.kind !== 'refused' || result.failure.upstreamCode !== BAD_FILE) return result
  return { ...result, failure: { ...result.failure, code: 'OFFICIAL_TEMPLATE_NOT_APPROVED' } }
}

/** Upstream has no code for a media id that it does not know: these codes blame a parameter. */
const STALE_CODES: ReadonlySet<number | string | null> = new Set([100, 131009])

type Uploaded =
  | { readonly ok: true; readonly mediaIds: readonly string[]; readonly isKept: boolean }
  | Exclude<Upload, { ok: true }>

async function uploadAll(
  uploads: MediaUploads,
  credentials: OfficialCredentials,
  media: readonly SendableMedia[],
): Promise<Uploaded> {
  const mediaIds: string[] = []
  let isKept = false
  for (const done of await Promise.all(media.map((file) => uploads.idOf(credentials, file)))) {
    if (!done.ok) return done
    mediaIds.push(done.mediaId)
    isKept ||= done.isKept
  }
  return { ok: true, mediaIds, isKept }
}

function sentOf(answer: GraphAnswer): SendResult {
  if (!answer.ok) return sendResultOf(answer.failure)
  const externalMessageId = messageIdOf(answer.body)
  const [named] = namedPeers(answer.body)
  if (externalMessageId !== null) return { kind: 'sent', externalMessageId, ...(named ? { named } : {}) }
  return {
    kind: 'unknown',
    failure: plainFailure('OFFICIAL_ERROR', 'The official platform took the message and gave no id for it.'),
  }
}

function firstRefusal(answers: readonly GraphAnswer[]): Outcome<null> {
  const refused = answers.find((answer) => !answer.ok)
  return refused && !refused.ok ? fail(refusalOf(refused.failure)) : succeed(null)
}

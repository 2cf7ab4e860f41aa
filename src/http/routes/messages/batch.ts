import type { AcceptedBatch } from '../../../commands/messages/send-batch.ts'
import { fail, RefusalError, refuse } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import { invalidBody } from '../../../domain/fault.ts'
import { BATCH_BODY_BYTES, BATCH_BODY_VALUES } from '../../../domain/limits.ts'
import { MESSAGE_STATUSES } from '../../../domain/message.ts'
import type { ProviderKind } from '../../../domain/number.ts'
import type { SendOrder } from '../../../domain/send-order.ts'
import { readOrder } from '../../../domain/send-reading.ts'
import type { BatchCounts } from '../../../ports/stores/message-batches.ts'
import { repeated } from '../../request/first-answer.ts'
import { unwrap } from '../../request/outcome.ts'
import { shownCode } from '../../request/refusal-body.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as schema from './batch-schema.ts'
import type { MessageDeps } from './deps.ts'
import * as example from './examples.ts'

const GROUP = 'Messages'
const ACCESS = { by: ['key', 'grant', 'session'], of: 'number' } as const
/** Our choice: messages of a batch that are read in one turn, which takes some milliseconds. */
const READ_AT_ONCE = 50

const DESCRIPTION =
  'Each message is read, checked and refused as a send of its own; all that are accepted are stored together, or none. '
  + 'They are sent in their order, at the pace of the batch where it has one, and behind single sends of the number: these go first whenever both could. '
  + 'Messages have ids of their own: give each a `correlationId` to find it by. '
  + 'Counted apart from sends: 30 batches a minute. The body may have 8 MB, data URIs included.'

/** Batches of sends ([message-verbs.verbs.4] to [message-verbs.verbs.6]). */
export function batchRoutes(deps: MessageDeps): Route[] {
  return [send(deps), read(deps), cancel(deps)]
}

function send({ messageCommands: messages, clock }: MessageDeps): Route {
  return route({
    method: 'post',
    path: '/v1/messages/batch',
    name: 'sendBatch',
    group: GROUP,
    access: ACCESS,
    permission: 'chat:send',
    bucket: 'batches',
    isIdempotent: true,
    keepsFirstAnswer: true,
    textBytes: BATCH_BODY_BYTES,
    bodyValues: BATCH_BODY_VALUES,
    summary: 'Send many messages',
    description: DESCRIPTION,
    body: schema.batchInput,
    bodyExample: example.BATCH,
    answer: {
      status: 202,
      description: 'What is queued, and why the rest is not',
      schema: schema.acceptedBatch,
      example: example.BATCH_ACCEPTED,
    },
    async handle({ number, body, claim, inTurn, client: { trace } }) {
      const { deliverUntil, pace } = body
      if (deliverUntil && Date.parse(deliverUntil) <= clock.now())
        throw new RefusalError(invalidBody([{ path: 'deliverUntil', message: 'must be in the future' }]))
      const orders: Outcome<SendOrder>[] = []
      for (let from = 0; from < body.messages.length; from += READ_AT_ONCE) {
        const some = body.messages.slice(from, from + READ_AT_ONCE)
        const read = () => some.map((one) => readOne(one, deliverUntil ?? null, number.provider, clock.now()))
        orders.push(...(await inTurn(read)))
      }
      const answer = (batch: AcceptedBatch) => ({ status: 202, body: JSON.stringify(presentAccepted(batch)) })
      const perMinute = pace?.perMinute ?? null
      const sent = unwrap(
        await messages.sendBatch({ number, orders, perMinute, claim: claim && { request: claim, answer }, trace }),
      )
      return sent.kind === 'accepted' ? { ...answer(sent.batch), type: 'application/json' } : repeated(sent)
    },
  })
}

/** Reads one message of a batch as the body of a send. */
function readOne(
  message: unknown,
  deliverUntil: string | null,
  provider: ProviderKind,
  nowMs: number,
): Outcome<SendOrder> {
  const parsed = schema.oneSend.safeParse(message)
  if (!parsed.success)
    return fail(
      invalidBody(
        parsed.error.issues.map(({ path, message: why }) => ({ path: path.map(String).join('.'), message: why })),
      ),
    )
  return readOrder({ ...parsed.data, deliverUntil: parsed.data.deliverUntil ?? deliverUntil }, provider, nowMs)
}

function presentAccepted({ id, accepted, refused }: AcceptedBatch) {
  return {
    batchId: id,
    accepted,
    refused: refused.map(({ index, refusal: { message, code } }) => ({ index, error: message, code: shownCode(code) })),
  }
}

const UNKNOWN = refuse('NOT_FOUND', 'No such batch on this number')

function read({ messageCommands: messages }: MessageDeps): Route {
  return route({
    method: 'get',
    path: '/v1/messages/batch/{id}',
    name: 'getBatch',
    group: GROUP,
    access: ACCESS,
    permission: 'chat:read',
    summary: 'Count the messages of a batch by status',
    params: schema.batchParams,
    answer: { status: 200, description: 'The counts', schema: schema.batchCounts, example: example.BATCH_COUNTS },
    refusals: ['NOT_FOUND'],
    async handle({ number, params }) {
      const batch = await messages.findBatch(number.id, params.id)
      if (!batch) throw new RefusalError(UNKNOWN)
      return { status: 200, body: presentCounts(batch) }
    },
  })
}

function presentCounts({ id, createdAt, perMinute, accepted, counts }: BatchCounts) {
  const shown = MESSAGE_STATUSES.filter((status) => status !== 'RECEIVED')
  return {
    batchId: id,
    createdAt: createdAt.toISOString(),
    pace: perMinute === null ? null : { perMinute },
    accepted,
    counts: Object.fromEntries(shown.map((status) => [status, counts[status] ?? 0])),
  }
}

function cancel({ messageCommands: messages }: MessageDeps): Route {
  return route({
    method: 'delete',
    path: '/v1/messages/batch/{id}',
    name: 'cancelBatch',
    group: GROUP,
    access: ACCESS,
    permission: 'chat:send',
    summary: 'Cancel what is not sent of a batch',
    description:
      'Exact beside sending: each message is either canceled, or upstream was asked for it and its own status tells the outcome. A repeat cancels nothing more.',
    params: schema.batchParams,
    answer: {
      status: 200,
      description: 'How many messages were canceled',
      schema: schema.batchCanceled,
      example: example.BATCH_CANCELED,
    },
    refusals: ['NOT_FOUND'],
    async handle({ number, params }) {
      const cancelled = await messages.cancelBatch(number.id, params.id)
      if (cancelled === null) throw new RefusalError(UNKNOWN)
      return { status: 200, body: { batchId: params.id, cancelled } }
    },
  })
}

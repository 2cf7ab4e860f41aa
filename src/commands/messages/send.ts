import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { PlacedOrder, ReactionOrder, SendOrder } from '../../domain/send-order.ts'
import type { Traced } from '../../domain/trace.ts'
import type { IdempotencyStart, IdempotentAnswer, IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import type { NewMessage } from '../../ports/stores/message-store.ts'
import { contentFor } from './make-content.ts'
import { newMessage } from './new-message.ts'
import type { ClearedOrder, MadeContent } from './new-message.ts'
import type { MessagePorts } from './ports.ts'
import { noticeOf } from './of-engine.ts'
import { aimed } from './reacting.ts'
import { recalledContent } from './template-content.ts'

export interface SendInput extends Traced {
  readonly number: NumberRef
  readonly order: SendOrder
  /** The Idempotency-Key of the request and the first answer, which is stored with the message; null without a key. */
  readonly claim: {
    readonly request: IdempotentRequest
    readonly answer: (message: NewMessage) => IdempotentAnswer
  } | null
}

export type Sent =
  | { readonly kind: 'accepted'; readonly message: NewMessage }
  /** The key was used before, so nothing was stored. */
  | Exclude<IdempotencyStart, { kind: 'started' }>

/**
 * Accepts a message to be sent ([messages.send.1], [messages.send.6]). A plain text costs one statement, and so does a
 * template that this node remembers; another template, or a Flow, costs one read more.
 */
export async function send(
  ports: MessagePorts,
  { number, order, claim, trace = null }: SendInput,
): Promise<Outcome<Sent>> {
  const nowMs = ports.clock.now()
  const clear = await clearedOrder(ports, number, order)
  if (!clear.ok) return clear
  const { content } = clear.value.placed
  const finish = ({ release, ...said }: MadeContent) =>
    accept(ports, newMessage(clear.value, number, said, { nowMs, trace }), release, claim)
  const recalled = content.mode === 'template' ? await recalledContent(ports, number, content) : null
  const first = recalled && (await finish(recalled))
  if (first) return first
  for (let reads = 0; reads < READS; reads++) {
    const made = await contentFor(ports, number, content)
    if (!made.ok) return made
    const sent = await finish(made.value)
    if (sent) return sent
  }
  return fail(CHANGING)
}

/** Looks up what an order names beside its content: its destination, what its engine can do, what it quotes. */
export async function clearedOrder(
  ports: MessagePorts,
  number: NumberRef,
  order: SendOrder,
): Promise<Outcome<ClearedOrder>> {
  const placed = await placedOrder(ports, number, order)
  if (!placed.ok) return placed
  const { content, quotedMessageId } = placed.value
  const notice = await noticeOf(ports, number, content)
  if (!notice.ok) return notice
  const quoted = quotedMessageId ? await idOfQuoted(ports, number, quotedMessageId) : succeed(null)
  if (!quoted.ok) return quoted
  return succeed({ placed: placed.value, quotedId: quoted.value, notice: notice.value })
}

/** The order with its destination, which that of a reaction may lack. */
function placedOrder(
  ports: MessagePorts,
  number: NumberRef,
  order: SendOrder,
): Outcome<PlacedOrder> | Promise<Outcome<PlacedOrder>> {
  return isReaction(order) ? aimed(ports, number, order) : succeed(order)
}

function isReaction(order: SendOrder): order is ReactionOrder {
  return order.content.mode === 'reaction'
}

/** Our choice: nobody edits a template or a Flow so fast that it changes each time between its read and the message. */
export const READS = 4
export const CHANGING = refuse('BUSY', 'The template or the Flow is being changed; try again', undefined, 1)

/** Upstream's id of the quoted message. An id that has not the form of a service id is taken for upstream's. */
async function idOfQuoted({ messages }: MessagePorts, number: NumberRef, id: string): Promise<Outcome<string>> {
  if (!/^msg_[0-9a-z]{26}$/.test(id)) return succeed(id)
  const quoted = await messages.find(number.id, id)
  if (quoted?.externalMessageId) return succeed(quoted.externalMessageId)
  return fail(
    refuse(
      'NOT_FOUND',
      quoted
        ? 'The quoted message was not sent yet: quote it once it is'
        : 'The quoted message is not one of this number',
    ),
  )
}

/**
 * Stores the message with its first answer. Answers null when its template or Flow is no longer as it was read. When
 * the statement fails, kept files stay for the purge, because it may have been committed.
 */
async function accept(
  ports: MessagePorts,
  message: NewMessage,
  release: MadeContent['release'],
  claim: SendInput['claim'],
): Promise<Outcome<Sent> | null> {
  const outcome = await ports.messages.accept(
    message,
    claim && { request: claim.request, answer: claim.answer(message) },
  )
  if (outcome.kind === 'accepted') {
    if (message.deliverAt === null) ports.sendsQueued(message.numberId)
    return succeed({ kind: 'accepted', message })
  }
  await release()
  if (outcome.kind === 'stale') return null
  return outcome.kind === 'gone'
    ? fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
    : succeed(outcome)
}

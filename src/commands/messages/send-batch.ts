import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { newId } from '../../domain/ids.ts'
import type { MessageBatchId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { SendOrder } from '../../domain/send-order.ts'
import type { Traced } from '../../domain/trace.ts'
import type { IdempotencyStart, IdempotentAnswer, IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import type { AcceptBatchOutcome, NewBatch } from '../../ports/stores/message-batches.ts'
import type { NewMessage } from '../../ports/stores/message-store.ts'
import { contentFor } from './make-content.ts'
import { newMessage, type Occasion } from './new-message.ts'
import type { MessagePorts } from './ports.ts'
import { CHANGING, clearedOrder, READS } from './send.ts'
import { recalledContent } from './template-content.ts'

/** What is told of an accepted batch ([message-verbs.verbs.4]). */
export interface AcceptedBatch {
  readonly id: MessageBatchId
  readonly accepted: number
  /** Sends that were refused, by their place in the request, from 0. */
  readonly refused: readonly { readonly index: number; readonly refusal: Refusal }[]
}

export interface SendBatchInput extends Traced {
  readonly number: NumberRef
  /** What was read of each send, in the order of the request. */
  readonly orders: readonly Outcome<SendOrder>[]
  /** Most messages that are begun in a minute; null for as many as the number sends. */
  readonly perMinute: number | null
  /** As for a send; the answer is stored with the batch. */
  readonly claim: {
    readonly request: IdempotentRequest
    readonly answer: (batch: AcceptedBatch) => IdempotentAnswer
  } | null
}

export type BatchSent =
  | { readonly kind: 'accepted'; readonly batch: AcceptedBatch }
  /** The key was used before, so nothing was stored. */
  | Exclude<IdempotencyStart, { kind: 'started' }>

/** A send of a batch that can be accepted. */
interface MadeSend {
  readonly order: SendOrder
  readonly message: NewMessage
  /** Releases what was kept for it. */
  readonly release: () => Promise<void>
}

/** Our choice: sends of a batch that are made at once. */
const AT_ONCE = 50

/**
 * Accepts sends together ([message-verbs.batch.1]): each is made and checked as a send of its own, and all that are not
 * refused are stored in one statement, or none.
 */
export async function sendBatch(ports: MessagePorts, input: SendBatchInput): Promise<Outcome<BatchSent>> {
  const { number, orders, perMinute, claim, trace = null } = input
  const occasion = { nowMs: ports.clock.now(), trace }
  const made = await makeAll(ports, number, orders, occasion)
  const id = newId('bat')
  for (let reads = 0; reads < READS; reads++) {
    const { kept, batch: told } = partsOf(id, made)
    const { tenantId, id: numberId } = number
    const messages = kept.map(({ send: { message } }) => message)
    const batch: NewBatch = { id, tenantId, numberId, perMinute, createdAt: new Date(occasion.nowMs), messages }
    const outcome = await ports.messageBatches.accept(
      batch,
      claim && { request: claim.request, answer: claim.answer(told) },
    )
    if (outcome.kind !== 'stale') return ended(ports, batch, told, made, outcome)
    for (const place of outcome.places) {
      const stale = kept[place]
      if (stale) made[stale.index] = await remade(ports, number, stale.send, occasion)
    }
  }
  await releaseAll(made)
  return fail(CHANGING)
}

/** The sends that can be accepted, by their place in the request, and what is told of all. */
function partsOf(id: MessageBatchId, made: readonly Outcome<MadeSend>[]) {
  const kept = made.flatMap((one, index) => (one.ok ? [{ index, send: one.value }] : []))
  const refused = made.flatMap((one, index) => (one.ok ? [] : [{ index, refusal: one.error }]))
  return { kept, batch: { id, accepted: kept.length, refused } satisfies AcceptedBatch }
}

async function ended(
  ports: MessagePorts,
  { numberId, messages }: NewBatch,
  batch: AcceptedBatch,
  made: readonly Outcome<MadeSend>[],
  outcome: Exclude<AcceptBatchOutcome, { kind: 'stale' }>,
): Promise<Outcome<BatchSent>> {
  if (outcome.kind === 'accepted') {
    if (messages.some(({ deliverAt }) => deliverAt === null)) ports.sendsQueued(numberId)
    return succeed({ kind: 'accepted', batch })
  }
  await releaseAll(made)
  return outcome.kind === 'gone'
    ? fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
    : succeed(outcome)
}

async function makeAll(
  ports: MessagePorts,
  number: NumberRef,
  orders: readonly Outcome<SendOrder>[],
  occasion: Occasion,
): Promise<Outcome<MadeSend>[]> {
  const made: Outcome<MadeSend>[] = []
  for (let from = 0; from < orders.length; from += AT_ONCE)
    made.push(
      ...(await Promise.all(
        orders
          .slice(from, from + AT_ONCE)
          .map((order) => (order.ok ? make(ports, number, order.value, occasion, true) : order)),
      )),
    )
  return made
}

/** Makes a send. A template is recalled only where `mayRecall`, because what is remembered may be stale. */
async function make(
  ports: MessagePorts,
  number: NumberRef,
  order: SendOrder,
  occasion: Occasion,
  mayRecall: boolean,
): Promise<Outcome<MadeSend>> {
  const clear = await clearedOrder(ports, number, order)
  if (!clear.ok) return clear
  const { content } = clear.value.placed
  const recalled = mayRecall && content.mode === 'template' ? await recalledContent(ports, number, content) : null
  const said = recalled ? succeed(recalled) : await contentFor(ports, number, content)
  if (!said.ok) return said
  const { release, ...parts } = said.value
  return succeed({ order, message: newMessage(clear.value, number, parts, occasion), release })
}

async function remade(
  ports: MessagePorts,
  number: NumberRef,
  { order, release }: MadeSend,
  occasion: Occasion,
): Promise<Outcome<MadeSend>> {
  await release()
  return make(ports, number, order, occasion, false)
}

async function releaseAll(made: readonly Outcome<MadeSend>[]): Promise<void> {
  for (const one of made) if (one.ok) await one.value.release()
}

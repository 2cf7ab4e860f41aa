import { REFUSALS } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import type { TakenAutoSend } from '../../ports/stores/lead-store.ts'
import type { Sent } from '../messages/send.ts'
import type { LeadNode } from './node.ts'

/** Our choice: answers that one turn accepts side by side. */
const TAKEN = 20
/** Our choice: longer than it takes to fetch the file of a template. */
const LEASE_MS = 60_000
/** An answer to a lead goes out within 24 hours, or not at all [leads.auto-send.12]. */
const ANSWER_MS = 24 * 3_600_000
/**
 * Our choice, ms: an answer that cannot be accepted now is tried again after a quarter of its lead's age, within these
 * bounds.
 */
const AGAIN_MS = { least: 5_000, most: 900_000 }
/** Our choice: auto-sends that one statement moves. */
const FOLLOWED = 200

type Answered = { readonly messageId: MessageId } | 'busy' | Refusal

/** Accepts the templates that answer leads, as messages. Answers whether there may be more. */
export async function acceptAutoSends(node: LeadNode, isWanted: () => boolean): Promise<boolean> {
  if (!isWanted()) return false
  const taken = await node.leads.takeAutoSends(TAKEN, LEASE_MS)
  // An answer that fails does not hold up the others; once its lease has run out, it is taken again.
  await Promise.all(
    taken.map((one) =>
      accept(node, one).catch((error: unknown) =>
        node.log.error({ leadId: one.leadId, error: String(error) }, 'a lead was not answered'),
      ),
    ),
  )
  return taken.length === TAKEN
}

/** Moves auto-sends to the state of their messages. Answers whether there may be more. */
export async function followAutoSends({ leads, measures }: LeadNode): Promise<boolean> {
  const moved = await leads.followAutoSends(FOLLOWED)
  for (const { status } of moved) measures.autoSend(status)
  return moved.length === FOLLOWED
}

async function accept(node: LeadNode, taken: TakenAutoSend): Promise<void> {
  const { leads, measures, clock, log } = node
  const answered = await answer(node, taken)
  if (answered === 'busy') {
    const ageMs = clock.now() - taken.receivedAt.getTime()
    return leads.autoSendPostponed(
      taken,
      new Date(clock.now() + Math.min(AGAIN_MS.most, Math.max(AGAIN_MS.least, ageMs / 4))),
    )
  }
  if ('messageId' in answered) return leads.autoSendAccepted(taken, answered.messageId)
  await leads.autoSendFailed(taken, 'template_unavailable')
  measures.autoSend('failed')
  log.warn({ leadId: taken.leadId, numberId: taken.number.id, code: answered.code }, 'a lead cannot be answered')
}

/** Accepts one message per lead, whatever crashes: a second try gets the message of the first. */
async function answer(
  { messageCommands, idempotency, clock }: LeadNode,
  { leadId, number, order, receivedAt }: TakenAutoSend,
): Promise<Answered> {
  if (order === null) return UNREADABLE
  // A header cannot hold a line break, so no client's key equals this one.
  const request: IdempotentRequest = { ownerId: number.id, key: `lead\n${leadId}`, fingerprint: leadId }
  const until = new Date(receivedAt.getTime() + ANSWER_MS)
  if (until.getTime() <= clock.now()) {
    const before = await idempotency.find(request)
    return before === null ? TOO_LATE : messageOf(before)
  }
  const outcome = await messageCommands.send({
    number,
    // Our choice: the correlation id is the lead's, so that events of the message name the lead.
    order: {
      to: { type: 'DIRECT', address: order.to },
      content: { ...BY_TEMPLATE, templateId: order.templateId, variables: order.variables },
      quotedMessageId: null,
      deliverAt: null,
      deliverUntil: until,
      correlationId: leadId,
    },
    claim: { request, answer: ({ id }) => ({ status: 202, body: id }) },
  })
  if (outcome.ok) return messageOf(outcome.value)
  return isPassing(outcome.error) ? 'busy' : outcome.error
}

/** The template says all else. */
const BY_TEMPLATE = { mode: 'template', language: null, cards: [], media: null, flow: null } as const

const UNREADABLE: Refusal = {
  code: 'INTERNAL',
  message: 'What the lead was to be answered with cannot be read any more',
}
const TOO_LATE: Refusal = { code: 'TIMEOUT', message: 'The day in which the lead was to be answered is over' }

function messageOf(sent: Sent): Answered {
  if (sent.kind === 'accepted') return { messageId: sent.message.id }
  // Only leads use this key, and its stored answer is the id alone.
  return sent.kind === 'replay' ? { messageId: sent.answer.body as MessageId } : 'busy'
}

/** Whether the refusal will pass: it is the fault of neither the template nor the lead. */
function isPassing({ code }: Refusal): boolean {
  const { status } = REFUSALS[code]
  return status >= 500 || status === 429
}

import { REFUSALS } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import type { TakenAutoSend } from '../../ports/stores/lead-store.ts'
import type { Sent } from '../messages/send.ts'
import type { LeadNode } from './node.ts'

/** Our choice: answers of a turn, accepted side by side. */
const TAKEN = 20
/** Our choice: longer than a file of a template takes to be at hand. */
const LEASE_MS = 60_000
/** contract 12, Auto-send: an answer goes out within a day, or not at all. */
const ANSWER_MS = 24 * 3_600_000
/** Our choice: an answer that cannot be accepted just now is tried again after a quarter of its age, within these. */
const AGAIN_MS = { least: 5_000, most: 900_000 }
/** Our choice: auto-sends whose messages are looked at in one statement. */
const FOLLOWED = 200

type Answered = { readonly messageId: MessageId } | 'busy' | Refusal

/** Accepts the templates that answer leads. Answers whether there may be more. */
export async function acceptAutoSends(node: LeadNode, isWanted: () => boolean): Promise<boolean> {
  if (!isWanted()) return false
  const taken = await node.leads.takeAutoSends(TAKEN, LEASE_MS)
  // One that fails keeps no other waiting: its lease brings it back.
  await Promise.all(
    taken.map((one) =>
      accept(node, one).catch((error: unknown) =>
        node.log.error({ leadId: one.leadId, error: String(error) }, 'a lead was not answered'),
      ),
    ),
  )
  return taken.length === TAKEN
}

/** Moves auto-sends by what became of their messages. Answers whether there may be more. */
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

/** Once per lead whatever crashes: a second acceptance gets the first one's message. */
async function answer(
  { messageCommands, idempotency, clock }: LeadNode,
  { leadId, number, order, receivedAt }: TakenAutoSend,
): Promise<Answered> {
  if (order === null) return UNREADABLE
  // No header holds a line break, so that no client's key is this one.
  const request: IdempotentRequest = { ownerId: number.id, key: `lead\n${leadId}`, fingerprint: leadId }
  const until = new Date(receivedAt.getTime() + ANSWER_MS)
  if (until.getTime() <= clock.now()) {
    const before = await idempotency.find(request)
    return before === null ? TOO_LATE : messageOf(before)
  }
  const outcome = await messageCommands.send({
    number,
    // Our choice: events of the message name the lead.
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

/** All else is the template's own. */
const BY_TEMPLATE = { mode: 'template', language: null, cards: [], media: null, flow: null } as const

const UNREADABLE: Refusal = {
  code: 'INTERNAL',
  message: 'What the lead was to be answered with cannot be read any more',
}
const TOO_LATE: Refusal = { code: 'TIMEOUT', message: 'The day in which the lead was to be answered is over' }

function messageOf(sent: Sent): Answered {
  if (sent.kind === 'accepted') return { messageId: sent.message.id }
  // Nobody else has the key, and its answer is the id alone.
  return sent.kind === 'replay' ? { messageId: sent.answer.body as MessageId } : 'busy'
}

/** What is not the template's fault, nor the lead's. */
function isPassing({ code }: Refusal): boolean {
  const { status } = REFUSALS[code]
  return status >= 500 || status === 429
}

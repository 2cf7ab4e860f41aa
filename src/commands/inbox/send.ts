import { canSend } from '../../domain/can-send.ts'
import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { SendBody } from '../../domain/send-modes.ts'
import { readOrder } from '../../domain/send-reading.ts'
import type { Traced } from '../../domain/trace.ts'
import type { InboxConversation } from '../../ports/stores/inbox-store.ts'
import type { SendInput, Sent } from '../messages/send.ts'
import type { InboxPorts } from './ports.ts'

export interface InboxSendInput extends Traced {
  readonly tenantId: TenantId
  readonly conversation: InboxConversation
  /** It names no destination: the conversation is the destination. */
  readonly body: Omit<SendBody, 'destinationNumber' | 'groupId' | 'newsletterId'>
  readonly claim: SendInput['claim']
}

/**
 * Sends into a conversation, as any send ([embeds.inbox-routes.7]). The window is checked here, so that nobody waits
 * for upstream to say that it is closed ([embeds.inbox-routes.14]). Refusals beside those of sends:
 * FEATURE_NOT_SUPPORTED, OFFICIAL_OUTSIDE_24H_WINDOW.
 */
export async function sendInConversation(
  ports: InboxPorts,
  { tenantId, conversation, body, claim, trace }: InboxSendInput,
): Promise<Outcome<Sent>> {
  const nowMs = ports.clock.now()
  const refusal = refusalOf(conversation, body, nowMs)
  if (refusal) return fail(refusal)
  const number = await ports.numbers.find(tenantId, conversation.numberId)
  if (!number) return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  const to = conversation.type === 'GROUP' ? { groupId: conversation.peer } : { destinationNumber: conversation.peer }
  const order = readOrder({ ...body, ...to }, number.provider, nowMs)
  if (!order.ok) return order
  return sendAndTell(ports, { number, order: order.value, claim, trace })
}

/** The refusal of a free text where only templates may be sent ([embeds.inbox-routes.14]). */
export const WINDOW_CLOSED = refuse(
  'OFFICIAL_OUTSIDE_24H_WINDOW',
  'The contact has not written for 24 hours: send a template',
)

/** Sends, and tells open inboxes at once. */
export async function sendAndTell(ports: InboxPorts, input: SendInput): Promise<Outcome<Sent>> {
  const sent = await ports.messageCommands.send(input)
  // A scheduled message wakes no listener.
  if (sent.ok && sent.value.kind === 'accepted' && sent.value.message.deliverAt === null) ports.inboxFeed.wake()
  return sent
}

function refusalOf(conversation: InboxConversation, body: SendBody, nowMs: number): Refusal | null {
  if (conversation.type === 'NEWSLETTER')
    return refuse('FEATURE_NOT_SUPPORTED', 'Channels can be read in the inbox, but not written to')
  if (conversation.peer === null)
    return refuse(
      'FEATURE_NOT_SUPPORTED',
      'The privacy mode of this number keeps no addresses, so its conversations cannot be answered here',
    )
  const isClosed = canSend(conversation, nowMs).reason === 'WINDOW_CLOSED' && !body.templateId
  return isClosed ? WINDOW_CLOSED : null
}

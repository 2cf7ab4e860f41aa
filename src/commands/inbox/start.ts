import { canSend } from '../../domain/can-send.ts'
import type { CanSend } from '../../domain/can-send.ts'
import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { ConversationId, NumberId, TenantId } from '../../domain/ids.ts'
import type { ChannelNumber, ProviderKind } from '../../domain/number.ts'
import type { SendBody } from '../../domain/send-modes.ts'
import { readOrder } from '../../domain/send-reading.ts'
import { addressRefusal } from '../../domain/user-id.ts'
import type { ConversationWith } from '../../ports/stores/inbox-store.ts'
import type { SendInput, Sent } from '../messages/send.ts'
import type { InboxPorts } from './ports.ts'
import { sendAndTell, WINDOW_CLOSED } from './send.ts'

/** A number of the inbox and whom to write to from it: digits, or the id of a person who hides them. */
export interface Destined {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly address: string
}

export interface StartInput extends Destined {
  readonly body: Omit<SendBody, 'destinationNumber' | 'groupId' | 'newsletterId'>
  /** The claim of the request, whose answer names the conversation. */
  readonly claim: (conversationId: ConversationId) => SendInput['claim']
}

export interface Reachable extends ConversationWith {
  /** What may be written now. */
  readonly canSend: CanSend
}

/**
 * Tells what may be written to somebody, and in which conversation ([embeds.starts.4]). Refusals: NUMBER_NOT_FOUND,
 * FEATURE_NOT_SUPPORTED for the id of a person on a kind of number that knows nobody by one.
 */
export async function conversationWith(ports: InboxPorts, { tenantId, numberId, address }: Destined) {
  const found = await reach(ports, tenantId, numberId, address)
  return found.ok ? succeed<Reachable>(found.value.reached) : found
}

/**
 * Sends the first message to somebody, as any send ([embeds.starts.3]); where a conversation is there already, the next
 * one. The window is checked here, as in a conversation. Refusals beside those of sends: NUMBER_NOT_FOUND,
 * OFFICIAL_OUTSIDE_24H_WINDOW.
 */
export async function startConversation(
  ports: InboxPorts,
  { tenantId, numberId, address, body, claim }: StartInput,
): Promise<Outcome<{ readonly sent: Sent; readonly conversationId: ConversationId }>> {
  const found = await reach(ports, tenantId, numberId, address)
  if (!found.ok) return found
  const { number, reached } = found.value
  const order = readOrder({ ...body, destinationNumber: address }, number.provider, ports.clock.now())
  if (!order.ok) return order
  if (!reached.canSend.free && !body.templateId) return fail(WINDOW_CLOSED)
  const sent = await sendAndTell(ports, { number, order: order.value, claim: claim(reached.id) })
  return sent.ok ? succeed({ sent: sent.value, conversationId: reached.id }) : sent
}

async function reach(
  ports: InboxPorts,
  tenantId: TenantId,
  numberId: NumberId,
  address: string,
): Promise<Outcome<{ readonly number: ChannelNumber; readonly reached: Reachable }>> {
  const number = await ports.numbers.find(tenantId, numberId)
  if (!number) return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  const { provider } = number
  const refusal: Refusal | null = addressRefusal(provider, address)
  if (refusal) return fail(refusal)
  const found = await ports.inboxReads.conversationWith(numberId, address)
  return succeed({ number, reached: { ...found, canSend: canSend(stateOf(found, provider), ports.clock.now()) } })
}

/** Nobody wrote yet where there is no conversation, so no window is open. */
function stateOf({ conversation }: ConversationWith, provider: ProviderKind): Parameters<typeof canSend>[0] {
  return conversation ?? { type: 'DIRECT', windowExpiresAt: null, provider }
}

import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { flowMessage, flowSendRefusal, newFlowToken, NO_SUCH_FLOW, SENDABLE } from '../../domain/flow-message.ts'
import type { FlowId } from '../../domain/ids.ts'
import { keptFlow } from '../../domain/kept-order.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { FlowOrder, TemplateOrder } from '../../domain/send-order.ts'
import type { SentFlow } from '../../ports/stores/message-store.ts'
import type { MadeContent } from './new-message.ts'
import type { MessagePorts } from './ports.ts'

/**
 * Makes the message of a Flow ([flows.sending.3]). Refusals, as [flows.sending.4]: FLOW_NOT_FOUND, FLOW_NOT_SENDABLE.
 */
export async function flowContent(
  { flows }: MessagePorts,
  number: NumberRef,
  order: FlowOrder,
): Promise<Outcome<MadeContent>> {
  const flow = await flows.find(number, order.flowId)
  const token = order.token ?? newFlowToken()
  const refusal = flowSendRefusal(flow)
  const message = flow && flowMessage(flow, order, token)
  if (refusal || !message) return fail(refusal ?? NO_SUCH_FLOW)
  // The message says whether the Flow is a draft, so it is accepted only while that is so.
  const statuses = SENDABLE.filter((status) => (status === 'DRAFT') === message.outgoing.isDraft)
  const content = { ...message.content, ...keptFlow(order) }
  return succeed({
    type: 'flow',
    content,
    outgoing: message.outgoing,
    template: null,
    templateId: null,
    seenTemplate: null,
    flow: { id: flow.id, token, statuses },
    release: async () => {},
  })
}

/**
 * The refusal that keeps a template's Flow from being sent; null when it can be sent or there is none. Refusals:
 * FLOW_NOT_FOUND, FLOW_NOT_SENDABLE.
 */
export async function flowRefusal(
  { flows }: MessagePorts,
  number: NumberRef,
  flowId: FlowId | null,
): Promise<Refusal | null> {
  return flowId === null ? null : flowSendRefusal(await flows.find(number, flowId))
}

/** What a template's message says of its Flow; the Flow's state is compared when the message is accepted. */
export function sentFlow(flowId: FlowId | null, given: TemplateOrder['flow']): SentFlow | null {
  return flowId && { id: flowId, token: given?.token ?? newFlowToken(), statuses: SENDABLE }
}

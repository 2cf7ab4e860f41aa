import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'
import type { Flow, FlowStatus } from './flow.ts'
import { refuseFlow } from './flow-refusals.ts'
import { NO_CONTENT } from './message.ts'
import type { MessageContent } from './message.ts'
import type { FlowMode } from './outgoing.ts'
import type { FlowOrder } from './send-order.ts'
import { randomness } from './randomness.ts'

/** The fields of a Flow that decide whether messages can be made of it, and how. */
export type SendableFlow = Pick<Flow, 'id' | 'officialFlowId' | 'officialStatus'>

/**
 * States in which a Flow can be sent ([flows.sending.4], [flows.sending.5]). Upstream decides how many pass of
 * THROTTLED.
 */
export const SENDABLE: readonly FlowStatus[] = ['DRAFT', 'PUBLISHED', 'THROTTLED']

export const NO_SUCH_FLOW: Refusal = refuseFlow('FLOW_NOT_FOUND')

/** Says why messages cannot be made of a Flow; null when they can. Refusals: FLOW_NOT_FOUND, FLOW_NOT_SENDABLE. */
export function flowSendRefusal(flow: SendableFlow | null): Refusal | null {
  if (flow === null) return NO_SUCH_FLOW
  const { officialStatus, officialFlowId } = flow
  if (!SENDABLE.includes(officialStatus))
    return refuse('FLOW_NOT_SENDABLE', `The Flow is ${officialStatus}: send another one`, { officialStatus })
  return officialFlowId === null
    ? refuse('FLOW_NOT_SENDABLE', 'The Flow has not reached the official platform yet. Try again.', { officialStatus })
    : null
}

/** 32 random bytes are the 43 characters of [flows.sending.6]. */
const TOKEN_BYTES = 32

/** Makes the token of a message whose sender gives none; a response that carries it back is known by it. */
export function newFlowToken(): string {
  return `ft_${randomness().bytes(TOKEN_BYTES).toString('base64url')}`
}

/**
 * Makes the message of a Flow, as reads show it and as it is sent; null when the Flow has not reached upstream. The
 * Flow's present state counts: a DRAFT goes out as a draft.
 */
export function flowMessage(
  flow: SendableFlow,
  order: FlowOrder,
  token: string,
): { readonly content: MessageContent; readonly outgoing: FlowMode } | null {
  const { officialFlowId, officialStatus } = flow
  if (officialFlowId === null) return null
  const { mode, text, header, footer, cta, screen, data } = order
  return {
    content: { ...NO_CONTENT, text },
    outgoing: {
      mode,
      text,
      header,
      footer,
      cta,
      officialFlowId,
      isDraft: officialStatus === 'DRAFT',
      token,
      // Upstream's default as well.
      action: order.action ?? 'navigate',
      screen,
      data,
    },
  }
}

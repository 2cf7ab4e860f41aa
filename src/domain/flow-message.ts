import { randomBytes } from 'node:crypto'
import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'
import type { Flow, FlowStatus } from './flow.ts'
import { refuseFlow } from './flow-refusals.ts'
import { NO_CONTENT } from './message.ts'
import type { MessageContent } from './message.ts'
import type { FlowMode } from './outgoing.ts'
import type { FlowOrder } from './send-order.ts'

/** What of a Flow says whether messages can be made of it, and how. */
export type SendableFlow = Pick<Flow, 'id' | 'officialFlowId' | 'officialStatus'>

/** States in which a Flow can be sent (contract 11, Sending). THROTTLED: upstream says how many pass. */
export const SENDABLE: readonly FlowStatus[] = ['DRAFT', 'PUBLISHED', 'THROTTLED']

export const NO_SUCH_FLOW: Refusal = refuseFlow('FLOW_NOT_FOUND')

/** Why messages cannot be made of a Flow; null: they can. Refusals: FLOW_NOT_FOUND, FLOW_NOT_SENDABLE. */
export function flowSendRefusal(flow: SendableFlow | null): Refusal | null {
  if (flow === null) return NO_SUCH_FLOW
  const { officialStatus, officialFlowId } = flow
  if (!SENDABLE.includes(officialStatus))
    return refuse('FLOW_NOT_SENDABLE', `The Flow is ${officialStatus}: send another one`, { officialStatus })
  return officialFlowId === null
    ? refuse('FLOW_NOT_SENDABLE', 'The Flow has not reached the official platform yet', { officialStatus })
    : null
}

/** contract 11, Sending: 32 random bytes are 43 characters. */
const TOKEN_BYTES = 32

/** The token of a message whose sender gives none: what comes back with it is known by it. */
export function newFlowToken(): string {
  return `ft_${randomBytes(TOKEN_BYTES).toString('base64url')}`
}

/**
 * The message of a Flow, as reads show it and as it is sent; null where it cannot be. Its state is taken as it is now:
 * one that was a draft goes out as a draft.
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
      // Upstream's own choice, too.
      action: order.action ?? 'navigate',
      screen,
      data,
    },
  }
}

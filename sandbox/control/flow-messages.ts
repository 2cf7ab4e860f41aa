import { fieldsIn, isFields, listIn, own, textIn, type Fields } from '../../src/domain/json-fields.ts'
import type { OfficialSent } from '../official/messages/message-record.ts'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import type { OfficialNumber } from '../official/registry/registry.ts'
import { readNumber } from './read.ts'
import { ControlRefusal } from './refusal.ts'

/** How a message opens its Flow. */
interface Opening {
  readonly token: string
  /** Fields that name the Flow: `flow_id` or `flow_name`. */
  readonly named: Fields
}

/** A message with a Flow that reached a peer. */
export interface FlowMessage extends Opening {
  readonly user: string
  readonly number: OfficialNumber
  readonly message: OfficialSent
}

/** How a message opens a Flow, as a Flow message or a template with a button for a Flow; null when it opens none. */
function openingOf({ type, content }: OfficialSent): Opening | null {
  if (!isFields(content)) return null
  if (type === 'interactive' && own(content, 'type') === 'flow') {
    const parameters = fieldsIn(fieldsIn(content, 'action'), 'parameters')
    return { token: tokenIn(parameters), named: parameters }
  }
  const button = type === 'template' ? listIn(content, 'buttons').find((one) => own(one, 'type') === 'FLOW') : undefined
  return button ? { token: tokenIn(fieldsIn(button, 'action')), named: fieldsIn(button, 'flow') } : null
}

/** The token of a message; upstream gives a message without one the token `unused`. */
function tokenIn(fields: Fields): string {
  return textIn(fields, 'flow_token') ?? 'unused'
}

/** The newest message with a Flow that the peer has of a number, or the one that is named. */
export function readFlowMessage(
  { registry, messaging }: OfficialPlatform,
  peer: string | undefined,
  { to, messageId }: { readonly to: string; readonly messageId?: string | undefined },
): FlowMessage {
  const user = readNumber(peer)
  const number = registry.byDigits(readNumber(to))
  if (!number) throw new ControlRefusal(404, 'NUMBER_NOT_FOUND', 'There is no such official number')
  const message = messaging.messages
    .inbox(user)
    .findLast(
      (one) =>
        one.from === number.number
        && openingOf(one) !== null
        && (messageId === undefined || one.externalMessageId === messageId),
    )
  const opening = message ? openingOf(message) : null
  if (!message || !opening)
    throw new ControlRefusal(409, 'NO_FLOW', 'No message with a Flow reached this peer from that number')
  return { user, number, message, ...opening }
}

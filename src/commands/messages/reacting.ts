import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { invalidBody } from '../../domain/fault.ts'
import type { Message } from '../../domain/message.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { PlacedOrder, ReactionOrder } from '../../domain/send-order.ts'
import type { MessagePorts } from './ports.ts'

/**
 * Finds the message that is reacted to, and its chat ([message-verbs.modes.4]): the reaction goes there, so a
 * destination that the order names must lead there. Refusals: NOT_FOUND, VALIDATION, FEATURE_NOT_SUPPORTED.
 */
export async function aimed(
  { messages }: MessagePorts,
  number: NumberRef,
  order: ReactionOrder,
): Promise<Outcome<PlacedOrder>> {
  const { to, content } = order
  const message = await messages.find(number.id, content.reaction.messageId)
  if (!message) return fail(refuse('NOT_FOUND', 'The message to react to is not one of this number'))
  if (message.externalMessageId === null)
    return fail(refuse('NOT_FOUND', 'The message to react to was not sent yet: react to it once it is'))
  const unfit = unfitFor(message)
  if (unfit !== null) return fail(invalidBody([{ path: 'reaction.messageId', message: unfit }]))
  const chat = await messages.chatOf(number.id, message.id, to?.address ?? '')
  const goesTo = to ?? chat?.to ?? null
  if (goesTo === null)
    return fail(
      invalidBody([{ path: 'destinationNumber', message: 'is needed: privacy keeps no address of the chat' }]),
    )
  if (to !== null && chat?.isThere !== true)
    return fail(invalidBody([{ path: FIELDS[to.type], message: 'must be the chat of the message that is reacted to' }]))
  if (goesTo.type === 'NEWSLETTER')
    return fail(
      refuse('FEATURE_NOT_SUPPORTED', 'Posts of channels cannot be reacted to', { capability: 'channelReactions' }),
    )
  const fromMe = message.direction === 'OUTBOUND'
  const reaction = { ...content.reaction, messageId: message.externalMessageId, fromMe }
  return succeed({ ...order, to: goesTo, content: { ...content, reaction } })
}

const FIELDS = { DIRECT: 'destinationNumber', GROUP: 'groupId', NEWSLETTER: 'newsletterId' } as const

/** Why nobody can react to a message; null when people can. */
function unfitFor({ type, revokedAt }: Message): string | null {
  if (type === 'reaction') return 'is a reaction itself'
  if (type === 'system') return 'was written by nobody'
  return revokedAt === null ? null : 'was taken back by its writer'
}

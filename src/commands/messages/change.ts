import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { changeable } from '../../domain/own-change.ts'
import type { MessagePorts } from './ports.ts'

export interface ChangeInput {
  readonly numberId: NumberId
  /** Service id, correlation id or upstream id of the message. */
  readonly anyId: string
  /** The new text; null takes the message back. */
  readonly text: string | null
}

/**
 * Changes a message that the number sent, for everybody ([message-verbs.verbs.1] [message-verbs.verbs.2]). Answers the
 * message as it is now. Refusals: NOT_FOUND, those of `changeable` and of the device.
 */
export async function changeMessage(
  { messages, askDevice, clock }: MessagePorts,
  { numberId, anyId, text }: ChangeInput,
): Promise<Outcome<Message>> {
  const found = await messages.find(numberId, anyId)
  if (!found) return fail(refuse('NOT_FOUND', 'No such message on this number'))
  const sent = changeable(found, text === null ? 'REVOKE' : 'EDIT', clock.now())
  if (!sent.ok) return sent
  const { id, to, externalMessageId } = sent.value
  const asked =
    text === null
      ? await askDevice(numberId, 'revokeMessage', { externalMessageId, to })
      : await askDevice(numberId, 'editMessage', { externalMessageId, to, text })
  if (!asked.ok) return asked
  // The owner of the number stored the change before it answered.
  return succeed((await messages.find(numberId, id)) ?? found)
}

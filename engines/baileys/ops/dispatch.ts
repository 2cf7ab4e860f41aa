import { proto } from 'baileys'
import { Refusal } from '../protocol/refusal.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { OutgoingMessage } from '../store/outgoing.ts'
import { refusalOf } from '../translate-out/failure.ts'

/**
 * Sends a message whose row is on the disk, and gives the network's answer. `attributes` are those of the message's
 * stanza. Throws a Refusal when the network cannot be asked, or does not answer.
 */
export async function dispatch(
  live: LiveSession,
  { externalId, jid, message }: Pick<OutgoingMessage, 'externalId' | 'jid' | 'message'>,
  attributes: Readonly<Record<string, string>> = {},
): Promise<'taken' | 'refused'> {
  const answered = live.answered(externalId)
  try {
    await live.sock.relayMessage(jid, proto.Message.decode(message), {
      messageId: externalId,
      additionalAttributes: { ...attributes },
    })
  } catch (error) {
    throw refusalOf(error)
  }
  // A message that was only written is not sent. One that a broken socket took is lost, and is sent again under its
  // name.
  const answer = await answered
  if (answer !== 'none') return answer
  throw new Refusal('NOT_CONNECTED', 'The connection broke before the network answered. Try again shortly.', true)
}

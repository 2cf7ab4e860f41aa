import { proto, type MessageRelayOptions } from 'baileys'
import { Refusal } from '../protocol/refusal.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { OutgoingMessage } from '../store/outgoing-message.ts'
import { refusalOf } from '../translate-out/failure.ts'

/** What the network is told beside a message. */
export type RelayWords = Pick<MessageRelayOptions, 'additionalAttributes' | 'additionalNodes'>

/**
 * Sends a message whose row is on the disk, and gives the network's answer. Throws a Refusal when the network cannot be
 * asked, or does not answer.
 */
export async function dispatch(
  live: LiveSession,
  { externalId, jid, message }: Pick<OutgoingMessage, 'externalId' | 'jid' | 'message'>,
  words: RelayWords = {},
): Promise<'taken' | 'refused'> {
  const answered = live.answered(externalId)
  try {
    await live.sock.relayMessage(jid, proto.Message.decode(message), {
      messageId: externalId,
      ...words,
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

import { Refusal } from '../protocol/refusal.ts'
import type { LiveSession } from '../session/live-session.ts'
import { refusalOf } from '../translate-out/failure.ts'
import { textField, type Fields, type Operations } from './operation.ts'
import { addressOf } from './peers.ts'

/** The network's words for what a peer is shown. */
const WORDS: ReadonlyMap<string, 'composing' | 'recording' | 'paused'> = new Map([
  ['typing', 'composing'],
  ['recording', 'recording'],
  ['paused', 'paused'],
])

/** `message.typing`: shows in a chat that the number writes, or does not any more. The network ends it by itself. */
export const showTyping: Operations['message.typing'] = async (live, fields) => {
  const word = WORDS.get(textField(fields, 'state'))
  if (word === undefined) throw new Refusal('INVALID', 'state: is none of typing, recording, paused')
  const jid = await chatOf(live, fields)
  await live.sock.sendPresenceUpdate(word, jid).catch((error: unknown) => {
    throw refusalOf(error)
  })
  return { forwarded: true, read: false }
}

/** The chat that is named; without a name that of the last message that came in. Throws a Refusal NOT_FOUND. */
async function chatOf(live: LiveSession, { to, lastInboundId }: Fields): Promise<string> {
  if (typeof to === 'string' && to !== '') return addressOf(live, to)
  const jid = typeof lastInboundId === 'string' ? (await live.store.seen.find(lastInboundId))?.key.remoteJid : null
  if (jid) return jid
  throw new Refusal('NOT_FOUND', 'No chat is named, and the message is not known')
}

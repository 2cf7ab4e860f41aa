import type { BridgePeer } from '../../../src/domain/device-bridge.ts'
import type { InboundMessage } from '../translate-in/message.ts'
import { lidIn, phoneIn, writerJids } from '../translate-in/address.ts'
import type { ArrivedMessage, LiveSession } from './live-session.ts'

type Jids = readonly (string | null | undefined)[]

/**
 * Both addresses of a person by any of them, from what stands there and what is remembered; null while only one is
 * known.
 */
export async function peerOf(
  { lids }: Pick<LiveSession, 'lids'>,
  jids: Jids,
  phones: ReadonlyMap<string, string> = new Map(),
): Promise<Required<BridgePeer> | null> {
  const hidden = jids.map(lidIn).find((id) => id !== null)
  const told = jids.map(phoneIn).find((digits) => digits !== null)
  const phone = told ?? (hidden === undefined ? null : (phones.get(hidden) ?? (await lids.phoneOf(`${hidden}@lid`))))
  if (phone === null) return null
  const lid = hidden === undefined ? await lids.lidOf(phone) : `${hidden}@lid`
  return lid === null ? null : { phone, lid }
}

/** The event of a message with both addresses of its peer, where they are known ([engines.peers.2]). */
export async function withPeer(
  live: Pick<LiveSession, 'lids'>,
  { key }: ArrivedMessage['message'],
  read: InboundMessage,
  phones: ReadonlyMap<string, string>,
): Promise<InboundMessage> {
  const { event } = read
  if (event.ev !== 'message.received' && event.ev !== 'message.sent_elsewhere') return read
  // In our own message the other address of the chat is also ours, so only the chat's address counts.
  const peer = await peerOf(live, key.fromMe ? [key.remoteJid] : writerJids(key), phones)
  return peer ? { ...read, event: { ...event, peer } } : read
}

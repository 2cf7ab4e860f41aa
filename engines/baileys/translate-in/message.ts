/**
 * A message of the network as events of the bridge ([bridge.events.4] [engines.bridge.4] [engines.bridge.5]). Pure: the
 * results of look-ups are passed in.
 */
import { normalizeMessageContent, proto } from 'baileys'
import type { WAMessage } from 'baileys'
import type { BridgePeer } from '../../../src/domain/device-bridge.ts'
import { chatOf, personOf, writerJids } from './address.ts'
import type { Chat, PhoneOf } from './address.ts'
import { readContent } from './content.ts'
import type { ReadBridgeContent, ReadContent } from './content.ts'
import type { MediaReference } from './media-reference.ts'

interface RoomFields {
  readonly group?: { readonly id: string; readonly name?: string }
  readonly newsletter?: { readonly id: string; readonly name?: string }
  readonly story?: true
}

interface Written extends RoomFields {
  readonly externalMessageId: string
  readonly from: string
  readonly fromName: string | null
  readonly to: string
  readonly historical: boolean
  readonly timestamp: number
  readonly content: ReadBridgeContent
  readonly quoted?: string
  readonly peer?: BridgePeer
}

/** `from` and `group` say who changed it and where, so that a reader can judge the right to. */
interface Changed {
  readonly externalMessageId: string
  readonly timestamp: number
  readonly from: string
  readonly group?: { readonly id: string; readonly name?: string }
  readonly content?: ReadBridgeContent
}

export type MessageEvent =
  | ({ readonly ev: 'message.received' | 'message.sent_elsewhere' } & Written)
  | ({ readonly ev: 'message.revoked' | 'message.edited' } & Changed)

/** An event, and the media whose address is made later. */
export interface InboundMessage {
  readonly event: MessageEvent
  readonly media: MediaReference | null
}

export interface ReadingContext {
  /** Digits of the session's own number. */
  readonly number: string
  readonly phoneOf: PhoneOf
  /** The name of a group or channel; null when unknown. */
  readonly roomName: (id: string) => string | null
  /** Whether the gateway itself sent the message, or the one that it changes. */
  readonly isOurs: boolean
  /** True for a message from before the pairing. */
  readonly historical: boolean
  /** Ms since the epoch, for messages without a time. */
  readonly now: number
}

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type

/**
 * Reads one message. Null when there is nothing to tell: messages of the gateway itself, keys, settings, and what could
 * not be decrypted yet.
 */
export function readMessage(message: WAMessage, context: ReadingContext): InboundMessage | null {
  const { key } = message
  if (!key.id) return null
  const protocol = protocolIn(message)
  if (protocol) return readChange(message, protocol, context)
  if (key.fromMe && context.isOurs) return null
  const read = readContent(message.message) ?? withoutContent(message)
  const sides = read && sidesOf(message, context)
  if (!read || !sides) return null
  const { from, to } = sides
  return {
    event: {
      ev: key.fromMe && chatOf(key).kind !== 'newsletter' ? 'message.sent_elsewhere' : 'message.received',
      externalMessageId: key.id,
      from,
      to,
      fromName: message.pushName || message.verifiedBizName || null,
      ...roomOf(chatOf(key), context),
      historical: context.historical,
      timestamp: timeOf(message.messageTimestamp, context.now),
      content: read.content,
      ...(read.quoted === null ? {} : { quoted: read.quoted }),
    },
    media: read.media,
  }
}

/**
 * The content of a message that has none to show. View-once messages are shown on phones only, so only the fact is
 * told. A text that could not be decrypted comes again by itself.
 */
function withoutContent({ key }: WAMessage): ReadContent | null {
  return key.isViewOnce ? { content: { type: 'viewOnce' }, media: null, quoted: null } : null
}

/** Id of the message that this one edits or revokes; null for others. */
export function changedId(message: WAMessage): string | null {
  const protocol = protocolIn(message)
  return protocol?.type === REVOKE || protocol?.type === MESSAGE_EDIT ? protocol.key?.id || null : null
}

function protocolIn({ message }: WAMessage): proto.Message.IProtocolMessage | null {
  return normalizeMessageContent(message ?? undefined)?.protocolMessage ?? null
}

/** Reads a revocation or an edit. */
function readChange(
  message: WAMessage,
  protocol: proto.Message.IProtocolMessage,
  context: ReadingContext,
): InboundMessage | null {
  const externalMessageId = changedId(message)
  if (externalMessageId === null) return null
  const from = sidesOf(message, context)?.from
  if (from === undefined) return null
  const { group } = roomOf(chatOf(message.key), context)
  const timestamp = protocol.timestampMs ? Number(protocol.timestampMs) : timeOf(message.messageTimestamp, context.now)
  const changed = { externalMessageId, timestamp, from, ...(group ? { group } : {}) }
  if (protocol.type === REVOKE) return { event: { ev: 'message.revoked', ...changed }, media: null }
  const content = readContent(protocol.editedMessage)?.content
  return content ? { event: { ev: 'message.edited', ...changed, content: withoutMedia(content) }, media: null } : null
}

/** The content without media, because an edit cannot change those of the message. */
function withoutMedia({ media: _media, ...content }: ReadBridgeContent): ReadBridgeContent {
  return content
}

/** Writer and reader of a message. A channel writes as itself; what we wrote in a group goes to the group. */
export function sidesOf(
  { key }: WAMessage,
  { number, phoneOf }: Pick<ReadingContext, 'number' | 'phoneOf'>,
): { readonly from: string; readonly to: string } | null {
  const chat = chatOf(key)
  if (chat.kind === 'newsletter') return { from: chat.id, to: number }
  if (!key.fromMe) {
    const from = personOf(writerJids(key), phoneOf)
    return from === null ? null : { from, to: number }
  }
  if (chat.kind === 'group') return { from: number, to: chat.id }
  if (chat.kind === 'story') return { from: number, to: number }
  // In our own message the other address of the chat is also ours, so only the chat's address counts.
  const to = personOf([key.remoteJid], phoneOf)
  return to === null ? null : { from: number, to }
}

export function roomOf(chat: Chat, { roomName }: Pick<ReadingContext, 'roomName'>): RoomFields {
  if (chat.kind === 'story') return { story: true }
  if (chat.kind === 'direct') return {}
  const name = roomName(chat.id)
  const room = { id: chat.id, ...(name === null ? {} : { name }) }
  return chat.kind === 'group' ? { group: room } : { newsletter: room }
}

/** A time of the network, which counts seconds, as ms. */
export function timeOf(seconds: WAMessage['messageTimestamp'], now: number): number {
  const value = Number(seconds ?? Number.NaN)
  return Number.isFinite(value) && value > 0 ? value * 1_000 : now
}

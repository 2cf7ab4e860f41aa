import {
  generateWAMessage,
  proto,
  type MessageGenerationOptions,
  type AnyMessageContent,
  type WAMessage,
  type WAMessageKey,
} from 'baileys'
import type { BridgeContent } from '../../../src/domain/device-bridge.ts'
import { errorFields } from '../process/log.ts'
import { Refusal } from '../protocol/refusal.ts'
import { peerOf } from '../session/known-peer.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { OutgoingMessage } from '../store/outgoing-message.ts'
import { externalIdOf } from '../store/outgoing.ts'
import type { StoredPoll } from '../store/polls.ts'
import { phoneIn } from '../translate-in/address.ts'
import { mediaOf, reactedId, toLibrary } from '../translate-out/content.ts'
import { refusalOf } from '../translate-out/failure.ts'
import { dispatch, type RelayWords } from './dispatch.ts'
import { textField, type Fields } from './operation.ts'
import { addressOf } from './peers.ts'

/** What the network is told beside a poll. */
const POLL: RelayWords = { additionalNodes: [{ tag: 'meta', attrs: { polltype: 'creation' } }] }

type Sent = Pick<OutgoingMessage, 'externalId' | 'jid'>

interface SendResult {
  readonly externalMessageId: string
  /** What the network knows the reader by, where both are known ([engines.peers.3]). */
  readonly number?: string
  readonly lid?: string
}

/**
 * `message.send`: sends once for each id of the gateway. The row is on the disk before the message goes out, and a
 * repeated id answers from the row. When the engine ended in between, nobody knows whether the message went out: it is
 * sent again under the same name, and phones show only one of them.
 */
export async function sendMessage(live: LiveSession, fields: Fields): Promise<SendResult> {
  const messageId = textField(fields, 'messageId')
  const found = await live.store.outgoing.find(messageId)
  const sent = found?.state === 'SENT' ? found : await live.inSendTurn(() => sendOnce(live, messageId, fields))
  return { externalMessageId: sent.externalId, ...(await namesOf(live, sent.jid)) }
}

/**
 * Number and LID of a reader: the network may have told them while it took the message. The message is sent, so nothing
 * here may fail it.
 */
async function namesOf(live: LiveSession, jid: string): Promise<Omit<SendResult, 'externalMessageId'>> {
  const peer = await peerOf(live, [jid]).catch(() => null)
  if (peer) return { number: peer.phone, lid: peer.lid }
  const number = phoneIn(jid)
  return number === null ? {} : { number }
}

async function sendOnce(live: LiveSession, messageId: string, fields: Fields): Promise<Sent> {
  const { outgoing } = live.store
  // Looked up within the turn, because the same id may have come twice at once.
  const found = await findSettled(live, messageId)
  if (found?.state === 'SENT') return found
  const message = found ?? (await begin(live, messageId, fields))
  // A refusal is told as the message's status.
  await dispatch(live, message, pollIn(proto.Message.decode(message.message)) ? POLL : {})
  // Nobody waits for this: a repetition that comes before it is on the disk finds out by itself.
  outgoing
    .markSent(messageId)
    .catch((error: unknown) =>
      live.log.error(errorFields(error), 'a message was sent, but could not be marked as sent'),
    )
  return message
}

/**
 * Finds the row of a message. When it is unknown whether the message went out, it first waits for everything that the
 * network held back, because receipts among it may tell.
 */
async function findSettled(live: LiveSession, messageId: string): Promise<OutgoingMessage | null> {
  const found = await live.store.outgoing.find(messageId)
  if (found?.state !== 'PENDING') return found
  await live.caughtUp()
  await live.store.settled()
  return live.store.outgoing.find(messageId)
}

/** Makes the message, uploads its media to the network, and writes its row. */
async function begin(live: LiveSession, messageId: string, fields: Fields): Promise<Omit<OutgoingMessage, 'state'>> {
  const { jid, content, options, dispose } = await compose(
    live,
    textField(fields, 'to'),
    contentField(fields),
    quotedField(fields),
  )
  try {
    const { sock } = live
    const externalId = externalIdOf(live.numberId, messageId)
    const { message } = await generateWAMessage(jid, content, {
      ...options,
      userJid: sock.user?.id ?? '',
      messageId: externalId,
      upload: sock.waUploadToServer,
    } as MessageGenerationOptions).catch((error: unknown) => {
      throw refusalOf(error)
    })
    if (!message) throw new Refusal('INVALID', 'content: says nothing')
    const row = { messageId, externalId, jid, message: proto.Message.encode(message).finish() }
    const poll = pollIn(message)
    await Promise.all([
      live.store.outgoing.begin(row),
      ...(poll ? [live.store.polls.note({ externalId, messageId, ...poll })] : []),
    ])
    return row
  } finally {
    await dispose()
  }
}

/** What votes in a poll are read with; null for other messages. */
function pollIn({
  pollCreationMessage,
  pollCreationMessageV3,
  messageContextInfo,
}: proto.IMessage): Pick<StoredPoll, 'secret' | 'options'> | null {
  const poll = pollCreationMessage ?? pollCreationMessageV3
  const secret = messageContextInfo?.messageSecret
  return poll && secret ? { secret, options: (poll.options ?? []).map(({ optionName }) => optionName ?? '') } : null
}

function contentField(fields: Fields): BridgeContent {
  const { content } = fields
  if (typeof content === 'object' && content !== null && 'type' in content && typeof content.type === 'string')
    return content as BridgeContent
  throw new Refusal('INVALID', 'content: must have a type')
}

function quotedField(fields: Fields): string | undefined {
  return typeof fields['quoted'] === 'string' ? fields['quoted'] : undefined
}

/** The gateway's message in the library's form. */
interface Composed {
  readonly jid: string
  readonly content: AnyMessageContent
  /** Options of `generateWAMessage` beside the message id and upload. */
  readonly options: { readonly quoted?: WAMessage }
  /** Removes the fetched file; called once the message is made, or could not be. */
  readonly dispose: () => Promise<void>
}

/**
 * Composes a message to send: looks up its reader, fetches its file. Throws a Refusal when the message cannot be sent.
 */
async function compose(
  live: LiveSession,
  to: string,
  content: BridgeContent,
  quoted: string | undefined,
): Promise<Composed> {
  const jid = await addressOf(live, to)
  const media = mediaOf(content)
  const fetched = media && (await live.media.fetch(media.url))
  const dispose = (): Promise<void> => fetched?.remove() ?? Promise.resolve()
  const file = media
    && fetched && {
      path: fetched.path,
      mimeType: media.mimeType,
      fileName: media.fileName ?? null,
      voice: media.voice === true,
      waveform: media.waveform ?? null,
    }
  const reacted = reactedId(content)
  const known = reacted === null ? null : await messageOf(live, reacted)
  // A message of the number is known by its chat and id alone, also when it is no longer kept.
  const ownKey = (id: string): WAMessageKey => ({ remoteJid: jid, fromMe: true, id })
  const outgoing = toLibrary(content, { file, keyOf: (id, isOwn) => known?.key ?? (isOwn ? ownKey(id) : null) })
  if (!outgoing.ok) {
    await dispose()
    throw new Refusal(outgoing.code, outgoing.message)
  }
  const quotedMessage = quoted === undefined ? null : await messageOf(live, quoted)
  return { jid, content: outgoing.content, options: quotedMessage ? { quoted: quotedMessage } : {}, dispose }
}

/**
 * The quoted message in the library's form: complete when it is ours, by its text when it is of others. Null when it is
 * unknown here; the answer then goes without a quote (our choice).
 */
async function messageOf(live: LiveSession, externalId: string): Promise<WAMessage | null> {
  const seen = await live.store.seen.find(externalId)
  if (seen)
    return {
      key: { ...seen.key, participant: seen.key.participant ?? undefined } as WAMessage['key'],
      message: { conversation: seen.text },
    }
  const own = await live.store.outgoing.byExternalId(externalId)
  return (
    own && { key: { remoteJid: own.jid, fromMe: true, id: externalId }, message: proto.Message.decode(own.message) }
  )
}

/**
 * The content of a message of the network in the terms of the bridge ([bridge.content.1]). Pure: media are described,
 * not fetched.
 */
import { normalizeMessageContent } from 'baileys'
import type { proto } from 'baileys'
import type { BridgeContent } from '../../../src/domain/device-bridge.ts'
import { mediaReference } from './media-reference.ts'
import type { MediaClass, MediaReference } from './media-reference.ts'
import { readReply } from './replies.ts'
import { readWords } from './words.ts'

/** The bridge's content; `interactive` has the choice of a reply. */
export type ReadBridgeContent = Omit<BridgeContent, 'media'> & {
  readonly interactive?: unknown
  readonly media?: ReadMedia
}

/** Media without the address at which the gateway fetches them: that is made when the event leaves. */
export interface ReadMedia {
  readonly mimeType: string
  readonly fileName?: string
  readonly size?: number
  readonly voice?: boolean
  readonly waveform?: readonly number[]
}

export interface ReadContent {
  readonly content: ReadBridgeContent
  readonly media: MediaReference | null
  /** Id of the message that this one answers; null without one. */
  readonly quoted: string | null
}

/**
 * Kinds of messages that show nothing to a reader: keys, receipts and settings; votes, reactions, edits and comments
 * that are sealed with the key of another message; the header of an album (its pictures come separately); notices of
 * calls and payments; and mentions in a status.
 */
const SILENT: ReadonlySet<string> = new Set([
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'messageContextInfo',
  'protocolMessage',
  'stickerSyncRmrMessage',
  'keepInChatMessage',
  'pinInChatMessage',
  'messageHistoryBundle',
  'messageHistoryNotice',
  'placeholderMessage',
  'call',
  'chat',
  'pollUpdateMessage',
  'encReactionMessage',
  'secretEncryptedMessage',
  'encCommentMessage',
  'encEventResponseMessage',
  'albumMessage',
  'eventCoverImage',
  'statusMentionMessage',
  'groupStatusMentionMessage',
  'statusNotificationMessage',
  'statusStickerInteractionMessage',
  'limitSharingMessage',
  'callLogMesssage',
  'bcallMessage',
  'scheduledCallEditMessage',
  'declinePaymentRequestMessage',
  'cancelPaymentRequestMessage',
  'botTaskMessage',
])

type Reader = (message: proto.IMessage) => ReadContent | null

/** Readers, tried in this order. In an album and the like each picture is a message of its own. */
const READERS: readonly Reader[] = [
  ({ conversation }) => (conversation ? plain({ type: 'text', text: conversation }, null) : null),
  ({ extendedTextMessage: text }) => (text ? plain({ type: 'text', text: text.text ?? '' }, text.contextInfo) : null),
  ({ imageMessage }) => (imageMessage ? media('image', 'image', imageMessage) : null),
  ({ videoMessage, ptvMessage }) => {
    const video = videoMessage ?? ptvMessage
    return video ? media('video', 'video', video) : null
  },
  ({ audioMessage }) => (audioMessage ? sound(audioMessage) : null),
  ({ documentMessage }) =>
    documentMessage
      ? media('document', 'document', documentMessage, documentMessage.fileName ?? documentMessage.title ?? null)
      : null,
  ({ stickerMessage }) => (stickerMessage ? media('sticker', 'sticker', { ...stickerMessage, caption: null }) : null),
  ({ lottieStickerMessage }) => {
    const sticker = lottieStickerMessage?.message?.stickerMessage
    return sticker ? media('sticker', 'sticker', { ...sticker, caption: null }) : null
  },
  ({ locationMessage }) => (locationMessage ? location(locationMessage, locationMessage.comment) : null),
  ({ liveLocationMessage }) =>
    liveLocationMessage ? location(liveLocationMessage, liveLocationMessage.caption) : null,
  ({ contactMessage }) =>
    contactMessage
      ? plain({ type: 'contacts', contacts: [contact(contactMessage)] }, contactMessage.contextInfo)
      : null,
  ({ contactsArrayMessage: list }) =>
    list ? plain({ type: 'contacts', contacts: (list.contacts ?? []).map(contact) }, list.contextInfo) : null,
  reaction,
  reply,
  shown,
  worded,
  inside,
]

/**
 * Reads the content of a message, without the wrappers of disappearing, view-once, edited and captioned messages. Null
 * when it shows nothing to a reader. Our choice: an unknown kind has its own name as type, so that clients see that
 * somebody wrote.
 */
export function readContent(message: proto.IMessage | null | undefined): ReadContent | null {
  const inner = normalizeMessageContent(message ?? undefined)
  if (!inner) return null
  for (const read of READERS) {
    const content = read(inner)
    if (content) return content
  }
  const kind = Object.entries(inner).find(
    ([name, value]) => value !== null && value !== undefined && !SILENT.has(name),
  )?.[0]
  return kind === undefined ? null : plain({ type: kind.replace(/(Mess?s?age)(V\d+)?$/, '') }, null)
}

/**
 * Wrappers that the library does not remove: questions, comments, mentions of a group, messages to and from bots, later
 * kinds of polls.
 */
const WRAPPERS = [
  'deviceSentMessage',
  'groupMentionedMessage',
  'botInvokeMessage',
  'botForwardedMessage',
  'questionMessage',
  'questionReplyMessage',
  'statusAddYours',
  'pollCreationMessageV4',
  'pollCreationOptionImageMessage',
  'commentMessage',
] as const

function inside(message: proto.IMessage): ReadContent | null {
  const wrapper = WRAPPERS.find((name) => message[name]?.message)
  return wrapper === undefined ? null : readContent(message[wrapper]?.message)
}

function worded(message: proto.IMessage): ReadContent | null {
  const words = readWords(message, (inner) => readContent(inner)?.content.text)
  if (!words) return null
  const picture = message.productMessage?.product?.productImage
  const shown = picture ? media('image', 'image', picture) : null
  return shown?.media
    ? { ...shown, content: { ...shown.content, text: words.text }, quoted: words.context?.stanzaId || null }
    : plain({ type: 'text', text: words.text }, words.context)
}

function plain(content: ReadBridgeContent, context: proto.IContextInfo | null | undefined): ReadContent {
  return { content, media: null, quoted: context?.stanzaId || null }
}

type FileMessage = proto.Message.IImageMessage & proto.Message.IVideoMessage

function media(
  type: string,
  mediaClass: MediaClass,
  file: Omit<FileMessage, 'mediaKeyDomain'>,
  fileName: string | null = null,
): ReadContent {
  const reference = mediaReference(mediaClass, file, fileName)
  return {
    content: {
      type,
      ...(file.caption ? { text: file.caption } : {}),
      ...(reference ? { media: shownMedia(reference) } : {}),
    },
    media: reference,
    quoted: file.contextInfo?.stanzaId || null,
  }
}

/** A sound. Push-to-talk notes have a waveform of 64 points, 0 to 100. */
function sound(audio: proto.Message.IAudioMessage): ReadContent {
  const isVoice = audio.ptt === true
  const reference = mediaReference(isVoice ? 'ptt' : 'audio', audio)
  const waveform = audio.waveform && audio.waveform.length > 0 ? [...audio.waveform] : null
  const details = { ...(isVoice ? { voice: true } : {}), ...(waveform ? { waveform } : {}) }
  return {
    content: { type: 'audio', ...(reference ? { media: { ...shownMedia(reference), ...details } } : {}) },
    media: reference,
    quoted: audio.contextInfo?.stanzaId || null,
  }
}

function shownMedia({ mimeType, fileName, size }: MediaReference): ReadMedia {
  return { mimeType, ...(fileName === null ? {} : { fileName }), ...(size === null ? {} : { size }) }
}

function location(
  place: proto.Message.ILocationMessage & proto.Message.ILiveLocationMessage,
  text: string | null | undefined,
): ReadContent {
  const { degreesLatitude, degreesLongitude, name, address, url } = place
  const named = Object.entries({ name, address, url }).filter(([, value]) => Boolean(value))
  return plain(
    {
      type: 'location',
      ...(text ? { text } : {}),
      location: { latitude: degreesLatitude ?? 0, longitude: degreesLongitude ?? 0, ...Object.fromEntries(named) },
    },
    place.contextInfo,
  )
}

/**
 * A contact in the form of OFFICIAL numbers, with its card. Phones are read from its TEL lines (RFC 6350 section
 * 6.4.1).
 */
function contact({ displayName, vcard }: proto.Message.IContactMessage): Record<string, unknown> {
  const lines = (vcard ?? '').split(/\r?\n/)
  const phones = lines.flatMap((line) => {
    const [, parameters = '', phone = ''] = /^(?:item\d+\.)?TEL([^:]*):(.+)$/i.exec(line) ?? []
    const digits = /waid=(\d+)/i.exec(parameters)?.[1]
    return phone === '' ? [] : [{ phone: phone.trim(), ...(digits ? { wa_id: digits } : {}) }]
  })
  return { name: { formatted_name: displayName ?? '' }, phones, vcard: vcard ?? '' }
}

/** A reaction; without a text it is revoked. */
function reaction({ reactionMessage }: proto.IMessage): ReadContent | null {
  const messageId = reactionMessage?.key?.id
  if (!reactionMessage || !messageId) return null
  return plain({ type: 'reaction', reaction: { messageId, emoji: reactionMessage.text || null } }, null)
}

function reply(message: proto.IMessage): ReadContent | null {
  const read = readReply(message)
  if (!read) return null
  const { buttonsResponseMessage, listResponseMessage, templateButtonReplyMessage, interactiveResponseMessage } =
    message
  const { contextInfo } =
    buttonsResponseMessage ?? listResponseMessage ?? templateButtonReplyMessage ?? interactiveResponseMessage ?? {}
  return plain(
    { type: read.type, ...(read.text === null ? {} : { text: read.text }), interactive: read.interactive },
    contextInfo,
  )
}

/** Texts with buttons, as businesses write them; only the text counts. */
// oxlint-disable-next-line complexity -- nearly all of it are fields that may be missing
function shown({
  buttonsMessage,
  listMessage,
  templateMessage,
  interactiveMessage,
  highlyStructuredMessage,
}: proto.IMessage): ReadContent | null {
  const template =
    templateMessage?.hydratedTemplate
    ?? templateMessage?.hydratedFourRowTemplate
    ?? highlyStructuredMessage?.hydratedHsm?.hydratedTemplate
  const { header, body, footer } = interactiveMessage ?? templateMessage?.interactiveMessageTemplate ?? {}
  const texts = [
    buttonsMessage && [buttonsMessage.text, buttonsMessage.contentText, buttonsMessage.footerText],
    listMessage && [listMessage.title, listMessage.description, listMessage.footerText],
    template && [template.hydratedTitleText, template.hydratedContentText, template.hydratedFooterText],
    (header ?? body ?? footer) && [header?.title, body?.text, footer?.text],
  ].find(Boolean)
  if (!texts) return null
  const inside = buttonsMessage ?? template ?? header
  const file = inside ? readFile(inside) : null
  const text = texts.filter(Boolean).join('\n\n')
  const context =
    buttonsMessage?.contextInfo
    ?? listMessage?.contextInfo
    ?? templateMessage?.contextInfo
    ?? interactiveMessage?.contextInfo
  return file ? { ...file, content: { ...file.content, text } } : plain({ type: 'text', text }, context)
}

/** The picture, film or file above a text with buttons; null without one. */
function readFile({
  imageMessage,
  videoMessage,
  documentMessage,
}: Pick<proto.IMessage, 'imageMessage' | 'videoMessage' | 'documentMessage'>): ReadContent | null {
  const part = imageMessage
    ? { imageMessage }
    : videoMessage
      ? { videoMessage }
      : documentMessage
        ? { documentMessage }
        : null
  return part && readContent(part)
}

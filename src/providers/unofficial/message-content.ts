import { z } from 'zod'
import { MESSAGE_TYPES, NO_CONTENT } from '../../domain/message.ts'
import type { MessageContent, MessageMedia, MessageType } from '../../domain/message.ts'
import { NAME_CHARACTERS } from '../../domain/storable.ts'
import { isNoMessage, wordsOf } from '../content-words.ts'

const KNOWN: ReadonlySet<string> = new Set(MESSAGE_TYPES)
/** Other words that engines have for a type. */
const ALIASES: Readonly<Record<string, MessageType>> = { voice: 'audio', contact: 'contacts' }

const text = z.string().min(1)
const optional = text.nullable().catch(null).default(null)
const fields = z.record(z.string(), z.unknown()).nullable().catch(null).default(null)
const MEDIA = z
  .object({ url: text, mimeType: optional, fileName: optional, voice: z.boolean().catch(false).default(false) })
  .nullable()
  .catch(null)
  .default(null)
const REACTION = z
  .object({ messageId: text.max(NAME_CHARACTERS), emoji: z.string().nullable().catch(null).default(null) })
  .nullable()
  .catch(null)
  .default(null)

const CONTENT = z.object({
  type: z.string().catch('text').default('text'),
  text: optional,
  media: MEDIA,
  location: fields,
  contacts: z.array(z.unknown()).nullable().catch(null).default(null),
  reaction: REACTION,
  interactive: fields,
  button: fields,
  buttons: fields,
})

/**
 * Reads the content of a message of an engine ([bridge.content.1]). An unknown type becomes that of its media, or a
 * text, or unsupported. Null when there is no message to show, as for a vote. Never throws.
 */
export function readContent(
  content: unknown,
): { readonly messageType: MessageType; readonly content: MessageContent } | null {
  const given = CONTENT.catch(CONTENT.parse({})).parse(content)
  if (isNoMessage(given.type)) return null
  const read = { ...given, text: given.text ?? wordsOf(fieldsOf(content) ?? {}) }
  const isVoice = read.type === 'voice' || read.media?.voice === true
  const media: MessageMedia | null = read.media && {
    id: null,
    url: read.media.url,
    mimeType: read.media.mimeType,
    fileName: read.media.fileName,
    ...(isVoice ? { isVoice } : {}),
  }
  const { reaction, location, contacts } = read
  // What was chosen; engines put it in different places.
  const interactive = read.interactive ?? read.button ?? read.buttons
  const isEmpty = [read.text, media, location, contacts, reaction, interactive].every((part) => part === null)
  const messageType = isEmpty && !isKnown(read.type) ? 'unsupported' : typeOf(read.type, media)
  const isNotice = messageType === 'unsupported' || messageType === 'system'
  return {
    messageType,
    content: {
      ...NO_CONTENT,
      text: read.text,
      media,
      location,
      contacts,
      // A reaction without an emoji, or with an empty one, is taken back.
      reaction: reaction && { messageId: reaction.messageId, emoji: reaction.emoji || null },
      interactive,
      ...(isNotice ? { upstream: fieldsOf(content) } : {}),
    },
  }
}

function fieldsOf(content: unknown): Readonly<Record<string, unknown>> | null {
  return fields.parse(content)
}

function isKnown(word: string): boolean {
  return isType(word) || Object.hasOwn(ALIASES, word)
}

function typeOf(word: string, media: MessageMedia | null): MessageType {
  if (isType(word)) return word
  const alias = Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined
  if (alias) return alias
  if (!media) return 'text'
  const family = media.mimeType?.split('/')[0]
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'document'
}

function isType(word: string): word is MessageType {
  return KNOWN.has(word)
}

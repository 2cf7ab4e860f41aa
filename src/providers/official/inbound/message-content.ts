import { NO_CONTENT } from '../../../domain/message.ts'
import type { MessageContent, MessageType } from '../../../domain/message.ts'
import { objectIn, objectsIn, textIn } from '../loose.ts'
import type { Fields } from '../loose.ts'

export interface ReadContent {
  readonly messageType: MessageType
  readonly content: MessageContent
}

/** Upstream's type -> reader; null says nothing. The object of a type stands under its name. */
const READERS: Readonly<Record<string, (message: Fields) => ReadContent | null>> = {
  text: (message) => ({ messageType: 'text', content: { ...NO_CONTENT, text: textIn(objectIn(message, 'text'), 'body') } }),
  image: (message) => media(message, 'image'),
  video: (message) => media(message, 'video'),
  audio: (message) => media(message, 'audio'),
  voice: (message) => media({ ...message, audio: message['voice'] }, 'audio'),
  document: (message) => media(message, 'document'),
  sticker: (message) => media(message, 'sticker'),
  location: (message) => ({ messageType: 'location', content: { ...NO_CONTENT, location: objectIn(message, 'location') } }),
  contacts: (message) => ({ messageType: 'contacts', content: { ...NO_CONTENT, contacts: objectsIn(message, 'contacts') } }),
  reaction,
  interactive,
  // The reply to a template's button: its payload goes along.
  button: (message) => {
    const button = objectIn(message, 'button')
    return { messageType: 'button', content: { ...NO_CONTENT, text: textIn(button, 'text'), interactive: button } }
  },
  // Our choice: an order is shown as the reply it is to a list of products, whole.
  order: (message) => {
    const order = objectIn(message, 'order')
    return order && { messageType: 'interactive', content: { ...NO_CONTENT, text: textIn(order, 'text'), interactive: { type: 'order', order } } }
  },
}

/**
 * What a message says. Null for what is none to show: unsupported and system messages, welcome requests, edits and withdrawals, and
 * types this version does not know. They reach clients by the native change (our choice: contract 4 has no type for them).
 */
export function readContent(message: Fields): ReadContent | null {
  const type = textIn(message, 'type') ?? ''
  const read = Object.hasOwn(READERS, type) ? READERS[type]?.(message) : undefined
  if (!read) return null
  const referral = objectIn(message, 'referral')
  return referral ? { ...read, content: { ...read.content, referral } } : read
}

/** A media too large for upstream comes with errors and without an id: it is shown without the media. */
function media(message: Fields, type: 'image' | 'video' | 'audio' | 'document' | 'sticker'): ReadContent {
  const file = objectIn(message, type)
  const id = textIn(file, 'id')
  return {
    messageType: type,
    content: {
      ...NO_CONTENT,
      text: textIn(file, 'caption'),
      media: id === null ? null : { id, url: null, mimeType: textIn(file, 'mime_type'), fileName: textIn(file, 'filename') },
    },
  }
}

/** Without an emoji it is taken back. */
function reaction(message: Fields): ReadContent | null {
  const fields = objectIn(message, 'reaction')
  const messageId = textIn(fields, 'message_id')
  return messageId === null ? null : { messageType: 'reaction', content: { ...NO_CONTENT, reaction: { messageId, emoji: textIn(fields, 'emoji') } } }
}

/** Answers to a permission request are matters of calls. */
function interactive(message: Fields): ReadContent | null {
  const reply = objectIn(message, 'interactive')
  if (!reply || 'call_permission_reply' in reply) return null
  const chosen = objectIn(reply, 'button_reply') ?? objectIn(reply, 'list_reply')
  const text = textIn(chosen, 'title') ?? textIn(objectIn(reply, 'nfm_reply'), 'body')
  return { messageType: 'interactive', content: { ...NO_CONTENT, text, interactive: reply } }
}

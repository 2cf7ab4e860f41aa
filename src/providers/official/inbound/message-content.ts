import { NO_CONTENT } from '../../../domain/message.ts'
import type { MessageContent, MessageType } from '../../../domain/message.ts'
import type { MessageChange } from '../../../domain/message-change.ts'
import { fieldsOf, nameIn, objectIn, objectsIn, textIn } from '../values/loose.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { isNoMessage, wordsOf } from '../../content-words.ts'

export interface ReadContent {
  readonly messageType: MessageType
  readonly content: MessageContent
}

/** Upstream's type -> reader; null when there is nothing to show. A message has an object named after its type. */
const READERS: Readonly<Record<string, (message: Fields) => ReadContent | null>> = {
  text: (message) => ({
    messageType: 'text',
    content: { ...NO_CONTENT, text: textIn(objectIn(message, 'text'), 'body') },
  }),
  image: (message) => media(message, 'image'),
  video: (message) => media(message, 'video'),
  audio: (message) => media(message, 'audio'),
  voice: (message) => media({ ...message, audio: message['voice'] }, 'audio'),
  document: (message) => media(message, 'document'),
  sticker: (message) => media(message, 'sticker'),
  location: (message) => ({
    messageType: 'location',
    content: { ...NO_CONTENT, location: objectIn(message, 'location') },
  }),
  contacts: (message) => ({
    messageType: 'contacts',
    content: { ...NO_CONTENT, contacts: objectsIn(message, 'contacts') },
  }),
  reaction,
  interactive,
  // The reply to a template's button, with its payload.
  button: (message) => {
    const button = objectIn(message, 'button')
    return { messageType: 'button', content: { ...NO_CONTENT, text: textIn(button, 'text'), interactive: button } }
  },
  // Our choice: an order is shown, whole, as an interactive reply to a list of products, with its words as text.
  order: (message) => {
    const order = objectIn(message, 'order')
    return (
      order && {
        messageType: 'interactive',
        content: { ...NO_CONTENT, text: wordsOf({ order }), interactive: { type: 'order', order } },
      }
    )
  },
  system: (message) => {
    const system = objectIn(message, 'system')
    return { messageType: 'system', content: { ...NO_CONTENT, text: textIn(system, 'body'), upstream: system } }
  },
  unsupported,
  // Not a message of the user: the chat was opened.
  request_welcome: () => null,
}

/**
 * The content of a message; null when there is nothing to show, as for welcome requests and answers about calls, which
 * clients get in the native change. Our choice: a type that this version does not know is unsupported too, so that
 * clients see that the user wrote.
 */
export function readContent(message: Fields): ReadContent | null {
  const type = textIn(message, 'type') ?? ''
  return (Object.hasOwn(READERS, type) ? READERS[type]?.(message) : type === '' ? null : unknown(message, type)) ?? null
}

/** Media too large for upstream comes with errors and without an id, and is shown without the media. */
function media(message: Fields, type: 'image' | 'video' | 'audio' | 'document' | 'sticker'): ReadContent {
  const file = objectIn(message, type)
  const id = nameIn(file, 'id')
  return {
    messageType: type,
    content: {
      ...NO_CONTENT,
      text: textIn(file, 'caption'),
      media:
        id === null
          ? null
          : {
              id,
              url: null,
              mimeType: textIn(file, 'mime_type'),
              fileName: textIn(file, 'filename'),
              ...(file?.voice === true ? { isVoice: true } : {}),
            },
    },
  }
}

/** An unsupported message: upstream's reason is all the text there is. Null for what is no message, as a vote. */
function unsupported(message: Fields): ReadContent | null {
  if (isNoMessage(textIn(objectIn(message, 'unsupported'), 'type') ?? '')) return null
  const errors = objectsIn(message, 'errors')
  const reason = errors[0] ?? null
  const text = textIn(objectIn(reason, 'error_data'), 'details') ?? textIn(reason, 'message') ?? textIn(reason, 'title')
  return {
    messageType: 'unsupported',
    content: { ...NO_CONTENT, text, upstream: { ...objectIn(message, 'unsupported'), errors } },
  }
}

/** A type of which this version knows its words alone, or nothing. */
function unknown(message: Fields, type: string): ReadContent | null {
  if (isNoMessage(type)) return null
  const text = wordsOf(message)
  if (text !== null) return { messageType: 'text', content: { ...NO_CONTENT, text } }
  return {
    messageType: 'unsupported',
    content: { ...NO_CONTENT, upstream: { type, ...(Object.hasOwn(message, type) ? { [type]: message[type] } : {}) } },
  }
}

/** The edit or revocation that a message tells of; null when it is neither. */
export function readChange(message: Fields): Pick<MessageChange, 'externalMessageId' | 'kind' | 'edited'> | null {
  const kind = KINDS.get(textIn(message, 'type'))
  if (kind === undefined) return null
  const fields = objectIn(message, textIn(message, 'type') ?? '')
  const externalMessageId = nameIn(fields, 'original_message_id') ?? ''
  return { externalMessageId, kind, edited: kind === 'EDIT' ? editedIn(objectIn(fields, 'message')) : null }
}

const KINDS: ReadonlyMap<string | null, MessageChange['kind']> = new Map([
  ['edit', 'EDIT'],
  ['revoke', 'REVOKE'],
])

/** The message as it is after the edit; upstream may leave its type out. */
function editedIn(message: Fields | null): MessageChange['edited'] {
  if (message === null) return null
  const type =
    textIn(message, 'type')
    ?? Object.keys(message).find((key) => Object.hasOwn(READERS, key) && fieldsOf(message[key]) !== null)
  const read = type === undefined ? null : readContent({ ...message, type })
  return read === null || read.messageType === 'unsupported' ? null : read
}

/** A reaction; without an emoji it is taken back. */
function reaction(message: Fields): ReadContent | null {
  const fields = objectIn(message, 'reaction')
  const messageId = nameIn(fields, 'message_id')
  return messageId === null
    ? null
    : { messageType: 'reaction', content: { ...NO_CONTENT, reaction: { messageId, emoji: textIn(fields, 'emoji') } } }
}

/** An interactive reply; null for answers to a permission request, which concern calls. */
function interactive(message: Fields): ReadContent | null {
  const reply = objectIn(message, 'interactive')
  if (!reply || 'call_permission_reply' in reply) return null
  const chosen = objectIn(reply, 'button_reply') ?? objectIn(reply, 'list_reply')
  const text = textIn(chosen, 'title') ?? textIn(objectIn(reply, 'nfm_reply'), 'body')
  return { messageType: 'interactive', content: { ...NO_CONTENT, text, interactive: reply } }
}

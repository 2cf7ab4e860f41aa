/**
 * The content of `message.send` ([bridge.content.1]) in the library's form. Pure: files were fetched before. Buttons,
 * cards and the parts of templates are sent as the words in `text`, because phones often do not draw those of linked
 * devices.
 */
import type { AnyMessageContent, WAMessageKey } from 'baileys'
import type { BridgeContent } from '../../../src/domain/device-bridge.ts'

/** A file on this machine that is to be sent. */
export interface OutgoingFile {
  readonly path: string
  /** As the gateway determined it from the content. */
  readonly mimeType: string
  readonly fileName: string | null
  readonly voice: boolean
  /** 64 points, 0 to 100; null without one. */
  readonly waveform: readonly number[] | null
}

/**
 * The parts of a message beside its text. `keyOf` gives the network's key of a message that is reacted to, `isOwn` when
 * the number wrote it; null when it is unknown.
 */
export interface OutgoingParts {
  readonly file: OutgoingFile | null
  readonly keyOf: (externalMessageId: string, isOwn: boolean) => WAMessageKey | null
}

export type Outgoing =
  | { readonly ok: true; readonly content: AnyMessageContent }
  | { readonly ok: false; readonly code: 'INVALID' | 'NOT_FOUND' | 'UNSUPPORTED'; readonly message: string }

/** Translates the content of a message to send. */
export function toLibrary(content: BridgeContent, { file, keyOf }: OutgoingParts): Outgoing {
  const text = content.text ?? ''
  if (content.type === 'reaction') return reactionOf(content.reaction, keyOf)
  if (content.type === 'location') return locationOf(content.location)
  if (content.type === 'contacts') return contactsOf(content.contacts)
  if (content.type === 'poll') return pollOf(content.poll)
  if (file) return fileOf(content.type, text, file)
  if (content.media !== undefined) return refused('INVALID', 'media: was not fetched')
  return text === ''
    ? refused('UNSUPPORTED', `A message of type ${content.type.slice(0, 40)} without text cannot be sent`)
    : sent({ text, linkPreview: null })
}

/**
 * The media to fetch for a message: its own, or (our choice) the picture of its first card, with the words of all cards
 * below it.
 */
export function mediaOf(content: BridgeContent): NonNullable<BridgeContent['media']> | null {
  return content.media ?? cardsOf(content.cards)[0] ?? null
}

type Media = NonNullable<BridgeContent['media']>

/** The pictures of the cards of a carousel, in order; those without an address are left out. */
function cardsOf(cards: unknown): Media[] {
  return (Array.isArray(cards) ? (cards as unknown[]) : []).flatMap((card) => {
    const media =
      typeof card === 'object' && card !== null ? (card as { readonly media?: Partial<Media> }).media : undefined
    return typeof media?.url === 'string'
      ? [{ ...media, url: media.url, mimeType: media.mimeType ?? 'image/jpeg' }]
      : []
  })
}

function sent(content: AnyMessageContent): Outgoing {
  return { ok: true, content }
}

function refused(code: 'INVALID' | 'NOT_FOUND' | 'UNSUPPORTED', message: string): Outgoing {
  return { ok: false, code, message }
}

function fileOf(type: string, text: string, { path, mimeType, fileName, voice, waveform }: OutgoingFile): Outgoing {
  const media = { url: path }
  const caption = text === '' ? {} : { caption: text }
  switch (type) {
    case 'image':
    case 'carousel':
      return sent({ image: media, mimetype: mimeType, ...caption })
    case 'video':
      return sent({ video: media, mimetype: mimeType, ...caption })
    case 'sticker':
      return sent({ sticker: media, mimetype: mimeType })
    case 'voice':
    case 'audio': {
      // The library takes a waveform, although its type does not name it.
      const drawn = waveform ? { waveform: Uint8Array.from(waveform) } : {}
      return sent({ audio: media, mimetype: mimeType, ptt: voice || type === 'voice', ...drawn })
    }
    default:
      return sent({ document: media, mimetype: mimeType, fileName: fileName ?? 'file', ...caption })
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

/** Id of the message that a content reacts to; null for others. */
export function reactedId({ type, reaction }: BridgeContent): string | null {
  const { messageId } = fieldsOf(reaction)
  return type === 'reaction' && typeof messageId === 'string' ? messageId : null
}

function reactionOf(reaction: unknown, keyOf: OutgoingParts['keyOf']): Outgoing {
  const { messageId, emoji, fromMe } = fieldsOf(reaction)
  if (typeof messageId !== 'string') return refused('INVALID', 'reaction.messageId: is missing')
  const key = keyOf(messageId, fromMe === true)
  return key
    ? sent({ react: { key, text: typeof emoji === 'string' ? emoji : '' } })
    : refused('NOT_FOUND', 'reaction.messageId: there is no such message here')
}

function locationOf(location: unknown): Outgoing {
  const { latitude, longitude, name, address } = fieldsOf(location)
  if (typeof latitude !== 'number' || typeof longitude !== 'number')
    return refused('INVALID', 'location: has no latitude and longitude')
  const texts = { ...(typeof name === 'string' ? { name } : {}), ...(typeof address === 'string' ? { address } : {}) }
  return sent({ location: { degreesLatitude: latitude, degreesLongitude: longitude, ...texts } })
}

/** A poll; the library makes the secret that votes are sealed with. */
function pollOf(poll: unknown): Outgoing {
  const { question, options, multiple } = fieldsOf(poll)
  const values = (Array.isArray(options) ? options : []).filter((option) => typeof option === 'string')
  if (typeof question !== 'string' || values.length < 2) return refused('INVALID', 'poll: has no question and options')
  // 0 means any number of options.
  return sent({ poll: { name: question, values, selectableCount: multiple === true ? 0 : 1 } })
}

function contactsOf(contacts: unknown): Outgoing {
  const cards = (Array.isArray(contacts) ? contacts : []).map((contact) => {
    const { name, vcard } = fieldsOf(contact)
    const displayName = String(fieldsOf(name)['formatted_name'] ?? '')
    return { displayName, vcard: typeof vcard === 'string' && vcard !== '' ? vcard : vcardOf(contact) }
  })
  if (cards.length === 0) return refused('INVALID', 'contacts: is empty')
  return sent({
    contacts: {
      displayName: cards.length === 1 ? (cards[0]?.displayName ?? '') : `${cards.length} contacts`,
      contacts: cards,
    },
  })
}

/** A card with what the contact says (RFC 6350; phones of the network read version 3.0). */
function vcardOf(contact: unknown): string {
  const { name, phones, emails, org, urls } = fieldsOf(contact)
  const { formatted_name: formatted, first_name: first, last_name: last } = fieldsOf(name)
  const { company, department, title } = fieldsOf(org)
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escaped(last)};${escaped(first ?? (last === undefined ? formatted : ''))};;;`,
    `FN:${escaped(formatted)}`,
    ...(company || department ? [`ORG:${[company, department].filter(Boolean).map(escaped).join(';')}`] : []),
    ...(title ? [`TITLE:${escaped(title)}`] : []),
    ...valuesOf(phones, 'phone').flatMap(({ value, type }) => {
      const phone = value.replace(/[^\d+ ()-]/g, '')
      const digits = phone.replace(/\D/g, '')
      // Without its country a number may be a stranger's, so that phones are not told to write to it.
      const account = /^\s*\+/.test(phone) ? `;waid=${digits}` : ''
      return digits === '' ? [] : [`TEL;type=${type || 'CELL'}${account}:${phone.trim()}`]
    }),
    ...valuesOf(emails, 'email').map(({ value, type }) => `EMAIL${type && `;type=${type}`}:${escaped(value)}`),
    ...valuesOf(urls, 'url').map(({ value, type }) => `URL${type && `;type=${type}`}:${escaped(value)}`),
    'END:VCARD',
  ].join('\n')
}

/** The values of a list of the contact with their types, which are words; empty without one. */
function valuesOf(list: unknown, field: string): { readonly value: string; readonly type: string }[] {
  return (Array.isArray(list) ? list : []).map((entry) => {
    const { [field]: value, type } = fieldsOf(entry)
    return { value: String(value ?? ''), type: String(type ?? '').replace(/[^\w-]/g, '') }
  })
}

/** A text of a card, in one line. */
function escaped(text: unknown): string {
  return String(text ?? '')
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replace(/[\r\n]+/g, ' ')
}

import { CLIENT_BOUNDS } from '../../src/domain/realtime-session.ts'
import { canonicalAddress, hasCredentials, NO_CREDENTIALS } from '../../src/domain/web-address.ts'
import { MAX_STOCK_MARK_BYTES, MAX_TEXT_VALUES } from './protocol.ts'
import type { ClientMessage, EchoId } from './protocol.ts'

/**
 * A client's text after reading. `badJson` closes the session (1007) unless its dialect is lenient, `unknown` earns a
 * warning, `invalid` earns a warning and counts towards the 100 that close it ([realtime.closing.8]).
 */
export type ClientText =
  | { readonly kind: 'message'; readonly message: ClientMessage }
  | { readonly kind: 'badJson' }
  | { readonly kind: 'unknown'; readonly type: string }
  | { readonly kind: 'invalid'; readonly problem: string }

export type Fields = Readonly<Record<string, unknown>>
type Read = ClientMessage | string

function echoId(fields: Fields): { id?: EchoId } | null {
  const { id } = fields
  if (id === undefined || id === null) return {}
  if (typeof id === 'number') return { id }
  return typeof id === 'string' && id.length <= CLIENT_BOUNDS.idCharacters ? { id } : null
}

function withId(type: 'clear' | 'ping', fields: Fields): Read {
  const id = echoId(fields)
  return id === null
    ? `id of ${type} must be a number or a text of at most ${CLIENT_BOUNDS.idCharacters} characters`
    : { type, ...id }
}

const READERS: Readonly<Record<string, (fields: Fields) => Read>> = {
  clear: (fields) => withId('clear', fields),
  ping: (fields) => withId('ping', fields),
  pause: () => ({ type: 'pause' }),
  resume: () => ({ type: 'resume' }),
  flush: () => ({ type: 'flush' }),
  accept: () => ({ type: 'accept' }),
  stats: () => ({ type: 'stats' }),
  mark({ name }) {
    const isName = typeof name === 'string' && name !== '' && Buffer.byteLength(name) <= CLIENT_BOUNDS.markBytes
    return isName ? { type: 'mark', name } : `name of mark must be a text of 1 to ${CLIENT_BOUNDS.markBytes} bytes`
  },
  dtmf({ digits }) {
    const isDigits =
      typeof digits === 'string' && digits.length <= CLIENT_BOUNDS.digits && /^[0-9A-D*#]+$/i.test(digits)
    return isDigits
      ? { type: 'dtmf', digits: digits.toUpperCase() }
      : `digits of dtmf must be 1 to ${CLIENT_BOUNDS.digits} of 0-9 * # A-D`
  },
  mute: ({ on }) => (typeof on === 'boolean' ? { type: 'mute', on } : 'on of mute must be true or false'),
  hangup({ reason }) {
    if (reason === undefined || reason === null) return { type: 'hangup', reason: null }
    const isReason = typeof reason === 'string' && reason.length <= CLIENT_BOUNDS.reasonCharacters
    return isReason
      ? { type: 'hangup', reason }
      : `reason of hangup must be a text of at most ${CLIENT_BOUNDS.reasonCharacters} characters`
  },
  play({ mediaUrl, hangupAfterPlay }) {
    if (typeof mediaUrl !== 'string' || mediaUrl === '' || mediaUrl.length > CLIENT_BOUNDS.urlCharacters)
      return 'mediaUrl of play must be an address'
    if (hasCredentials(mediaUrl)) return `mediaUrl of play ${NO_CREDENTIALS}`
    if (hangupAfterPlay !== undefined && typeof hangupAfterPlay !== 'boolean')
      return 'hangupAfterPlay of play must be true or false'
    return { type: 'play', mediaUrl: canonicalAddress(mediaUrl), hangupAfterPlay: hangupAfterPlay ?? false }
  },
}

/** Reads a mark of a client made for another platform, where any text or number is a name ([realtime.dialects.3]). */
export function readStockMark(name: unknown): ClientText {
  const isName =
    typeof name === 'number' || (typeof name === 'string' && Buffer.byteLength(name) <= MAX_STOCK_MARK_BYTES)
  return isName
    ? { kind: 'message', message: { type: 'mark', name } }
    : { kind: 'invalid', problem: `name of mark must be a number or a text of at most ${MAX_STOCK_MARK_BYTES} bytes` }
}

/** Reads the aliases ([realtime.client-messages.14]): `{"action":"clear"}` and `{"action":"notify","payload":...}`. */
function alias(fields: Fields): Read | null {
  if (fields['action'] === 'clear') return { type: 'clear' }
  // Our choice: a notify is a mark with the name `notify` that returns its payload.
  if (fields['action'] === 'notify') return { type: 'mark', name: 'notify', payload: fields['payload'] ?? null }
  return null
}

/** Counts the values of a JSON text by the characters that open and separate them, without parsing. */
function countValues(text: string): number {
  let values = 1
  let isInside = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) isInside = !isInside
    else if (isInside) at += character === BACKSLASH ? 1 : 0
    else if (character === COMMA || character === BRACKET || character === BRACE) values++
  }
  return values
}
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [...'"\\,[{'].map((character) => character.charCodeAt(0))

export type FieldsRead =
  | { readonly kind: 'fields'; readonly fields: Fields }
  | Extract<ClientText, { kind: 'badJson' | 'invalid' }>

/** Reads a client's text as an object, which every one is. */
export function readFields(text: string): FieldsRead {
  if (countValues(text) > MAX_TEXT_VALUES)
    return { kind: 'invalid', problem: `a message may hold at most ${MAX_TEXT_VALUES} values` }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { kind: 'badJson' }
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { kind: 'invalid', problem: 'a message must be a JSON object' }
  return { kind: 'fields', fields: parsed as Fields }
}

/** Reads one text message of a native client. */
export function parseClientText(text: string): ClientText {
  const read = readFields(text)
  return read.kind === 'fields' ? readMessage(read.fields) : read
}

/** Reads the fields of a native message. */
export function readMessage(fields: Fields): ClientText {
  const type = fields['type']
  if (type === undefined && fields['action'] !== undefined) {
    const aliased = alias(fields)
    return finish(aliased, String(fields['action']))
  }
  if (typeof type !== 'string') return { kind: 'invalid', problem: 'type must be a text' }
  return finish(Object.hasOwn(READERS, type) ? (READERS[type]?.(fields) ?? null) : null, type)
}

function finish(read: Read | null, type: string): ClientText {
  if (read === null) return { kind: 'unknown', type: type.slice(0, 32) }
  return typeof read === 'string' ? { kind: 'invalid', problem: read } : { kind: 'message', message: read }
}

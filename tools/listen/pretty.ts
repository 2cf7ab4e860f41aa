import { isEventName, type EventName } from '../../src/domain/events.ts'
import type { ShownEvent } from './event-feed.ts'

/** SGR codes of a terminal (ECMA-48). */
const COLORS = { dim: '2', red: '31', green: '32', yellow: '33', blue: '34', cyan: '36', bold: '1' } as const
type Color = keyof typeof COLORS

/** How an event is printed: its colour, and the fields to show in order; null shows the first few. */
interface Look {
  readonly color: Color
  readonly fields: readonly string[] | null
}

const CALL = ['id', 'direction', 'peerNumber', 'status', 'duration', 'errorCode', 'bizOpaqueCallbackData']
const MESSAGE = ['internalMessageId', 'messageId', 'from', 'to', 'destination', 'type', 'content']
const NUMBER = ['number', 'name', 'state']

const LOOKS: Readonly<Record<EventName, Look>> = {
  'message.received': { color: 'green', fields: MESSAGE },
  'message.reply': { color: 'blue', fields: MESSAGE },
  'message.sent': { color: 'blue', fields: MESSAGE },
  'message.delivered': { color: 'blue', fields: MESSAGE },
  'message.read': { color: 'blue', fields: MESSAGE },
  'message.failed': { color: 'red', fields: ['internalMessageId', 'destination', 'code', 'errorMessage'] },
  'message.revoked': { color: 'yellow', fields: ['id', 'messageId', 'fromMe'] },
  'message.group': { color: 'blue', fields: MESSAGE },
  'message.newsletter': { color: 'blue', fields: MESSAGE },
  'message.stories': { color: 'blue', fields: MESSAGE },
  'message.poll_vote': { color: 'blue', fields: ['from', 'internalMessageId', 'options'] },
  'call.ringing': { color: 'cyan', fields: CALL },
  'call.connected': { color: 'green', fields: CALL },
  'call.ended': { color: 'cyan', fields: CALL },
  'call.recorded': { color: 'cyan', fields: ['callId', 'durationSeconds', 'sizeBytes', 'cutShort'] },
  'call.missed': { color: 'yellow', fields: CALL },
  'call.permission_updated': { color: 'cyan', fields: ['peerNumber', 'status', 'expiresAt'] },
  'lead.received': { color: 'green', fields: ['id', 'fullName', 'formName'] },
  'number.created': { color: 'blue', fields: NUMBER },
  'number.connected': { color: 'green', fields: NUMBER },
  'number.disconnected': { color: 'yellow', fields: NUMBER },
  'number.removed': { color: 'red', fields: NUMBER },
  'webhook.test': { color: 'blue', fields: null },
}
/** For the upstream's own changes, and for events of a newer service. */
const UNKNOWN: Look = { color: 'blue', fields: null }

/** our choice: a longer field is cut, in characters, so that an event takes about one line. */
const FIELD_CHARACTERS = 80

/**
 * Text from others (names, messages) must not control the terminal: control characters, which begin escape sequences,
 * and characters that change the writing direction become a dot.
 */
function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '·')
}

function shown(value: unknown): string {
  const text = harmless(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  return text.length > FIELD_CHARACTERS ? `${text.slice(0, FIELD_CHARACTERS - 1)}…` : text
}

/** The line of one event: local time, name, number and some fields. */
export function prettyLine(event: ShownEvent, hasColors: boolean): string {
  const paint = (color: Color, text: string): string => (hasColors ? `\u001B[${COLORS[color]}m${text}\u001B[0m` : text)
  const { color, fields } = isEventName(event.event) ? LOOKS[event.event] : UNKNOWN
  const told = (fields ?? Object.keys(event.data).slice(0, 4))
    .filter((field) => event.data[field] !== undefined && event.data[field] !== null && event.data[field] !== '')
    .map((field) => `${paint('dim', `${field}=`)}${shown(event.data[field])}`)
  const time = new Date(event.timestamp)
  const clock = Number.isNaN(time.getTime()) ? '??:??:??' : time.toTimeString().slice(0, 8)
  return [
    paint('dim', clock),
    paint(event.data['status'] === 'FAILED' ? 'red' : color, harmless(event.event).padEnd(20)),
    paint('dim', harmless(event.channelNumberId)),
    ...told,
  ].join('  ')
}

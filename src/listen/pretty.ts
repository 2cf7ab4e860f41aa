import type { ShownEvent } from './event-feed.ts'

/** SGR codes of a terminal (ECMA-48). */
const COLORS = { dim: '2', red: '31', green: '32', yellow: '33', blue: '34', cyan: '36', bold: '1' } as const
type Color = keyof typeof COLORS

/** Fields worth a place on the line, per kind of event, in this order. */
const TELLING: readonly (readonly [kind: string, fields: readonly string[]])[] = [
  ['call.permission_updated', ['peerNumber', 'status', 'expiresAt']],
  ['call.', ['id', 'direction', 'peerNumber', 'status', 'duration', 'errorCode', 'bizOpaqueCallbackData']],
  ['message.failed', ['internalMessageId', 'destination', 'code', 'errorMessage']],
  ['message.', ['internalMessageId', 'messageId', 'from', 'to', 'destination', 'type', 'content']],
  ['number.', ['number', 'name', 'state']],
  ['lead.', ['id', 'fullName', 'formName']],
]

/** our choice: a field longer than this is cut, so that an event stays about a line. */
const FIELD_CHARACTERS = 80

/**
 * What others wrote (names, texts) must not steer the terminal: control characters, which escape sequences
 * begin with, and characters that turn the direction of writing become a dot.
 */
function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '·')
}

function shown(value: unknown): string {
  const text = harmless(typeof value === 'string' ? value : JSON.stringify(value) ?? '')
  return text.length > FIELD_CHARACTERS ? `${text.slice(0, FIELD_CHARACTERS - 1)}…` : text
}

function colorOf(event: ShownEvent): Color {
  if (event.event === 'message.failed' || event.data['status'] === 'FAILED' || event.event === 'number.removed') return 'red'
  if (event.event === 'call.missed' || event.event === 'number.disconnected') return 'yellow'
  if (event.event.endsWith('.connected') || event.event.endsWith('.received')) return 'green'
  return event.event.startsWith('call.') ? 'cyan' : 'blue'
}

/** Makes the line of one event: local time, name, number, the few telling fields. */
export function prettyLine(event: ShownEvent, hasColors: boolean): string {
  const paint = (color: Color, text: string): string => hasColors ? `\u001B[${COLORS[color]}m${text}\u001B[0m` : text
  const [, fields] = TELLING.find(([kind]) => event.event.startsWith(kind)) ?? ['', Object.keys(event.data).slice(0, 4)]
  const told = fields
    .filter((field) => event.data[field] !== undefined && event.data[field] !== null && event.data[field] !== '')
    .map((field) => `${paint('dim', `${field}=`)}${shown(event.data[field])}`)
  const time = new Date(event.timestamp)
  const clock = Number.isNaN(time.getTime()) ? '??:??:??' : time.toTimeString().slice(0, 8)
  return [
    paint('dim', clock),
    paint(colorOf(event), harmless(event.event).padEnd(20)),
    paint('dim', harmless(event.channelNumberId)),
    ...told,
  ].join('  ')
}

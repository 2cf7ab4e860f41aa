import type { OfficialMessageEvent } from '../../../../src/ports/official/changes.ts'
import { readMessageEvents } from '../../../../src/providers/official/inbound/message-events.ts'

export const META = {
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '+1 555-012-3456', phone_number_id: '1001' },
}
export const CONTACTS = [{ profile: { name: 'Ann' }, wa_id: '5511988887777' }]
export const AT = new Date(1_752_583_107_000)
export const MESSAGE = { from: '5511988887777', id: 'wamid.A', timestamp: '1752583107' }

/** The events that are read from a change. */
export function read(value: unknown, field = 'messages'): OfficialMessageEvent[] {
  return readMessageEvents(field, JSON.stringify(value))
}

/** The upstream id of the message that an event is about; false when it is about none. */
export const idOf = (event: OfficialMessageEvent) => 'externalMessageId' in event && event.externalMessageId

/** The single message event that a message item is read as. */
export function told(item: object, more: object = { contacts: CONTACTS }) {
  const [event, ...others] = read({ ...META, ...more, messages: [{ ...MESSAGE, ...item }] }).filter(
    ({ type }) => type !== 'peerNamed',
  )
  if (event?.type !== 'messageReceived' || others.length > 0) throw new Error('not one message')
  return event
}
export const REASON = {
  code: 131_051,
  title: 'Unsupported message type',
  error_data: { details: 'Not supported here' },
}
/** A file, in the form that events have. */
export const file = (id: string, mimeType: string, fileName: string | null = null) => ({
  id,
  url: null,
  mimeType,
  fileName,
})

export const STATUS = { id: 'wamid.A', timestamp: '1752583107', recipient_id: '5511988887777' }

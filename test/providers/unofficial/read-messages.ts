import { readEvent } from '../../../src/providers/unofficial/events.ts'

export const OWN = '5511900000000'
export const AT = new Date(1_752_583_107_000)
export const RECEIVED = {
  ev: 'message.received',
  seq: 1,
  externalMessageId: 'm1',
  from: '5511988880001',
  fromName: 'Ann',
  to: OWN,
  historical: false,
  timestamp: 1_752_583_107_000,
  content: { type: 'text', text: 'Hello' },
}

/** The event that the frame of a received message is read as. */
export function received(fields: object) {
  const reading = readEvent('message.received', JSON.parse(JSON.stringify({ ...RECEIVED, ...fields })), OWN)
  if (reading.kind !== 'event' || reading.event.type !== 'messageReceived') throw new Error(`read as ${reading.kind}`)
  return reading.event
}

export const MEDIA = { url: 'http://engine/1', mimeType: 'image/png', fileName: 'a.png', size: 7 }
export const READ_MEDIA = { id: null, url: 'http://engine/1', mimeType: 'image/png', fileName: 'a.png' }

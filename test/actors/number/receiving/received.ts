import type { NumberId } from '../../../../src/domain/ids.ts'
import { NO_CONTENT } from '../../../../src/domain/message.ts'
import type { OfficialMessageEvent } from '../../../../src/ports/official/changes.ts'
import { addOfficial, officialRig } from '../../official-rig.ts'
import type { Rig } from '../../rig.ts'
import { NO_LIMITS } from '../../sending/table.ts'

/** Options without any wait between sends. */
export const fast = { paces: NO_LIMITS, lookMs: 0 }
export const PEER = '5511988887777'
export const image = (url: string) => ({
  messageType: 'image',
  content: { ...NO_CONTENT, media: { id: null, url, mimeType: 'image/png', fileName: null } },
})

/** A received message, whose text is its id. */
export const incoming = (externalMessageId: string, patch: object = {}) => ({
  type: 'messageReceived' as const,
  externalMessageId,
  from: PEER,
  fromName: 'Ann',
  to: '551133334444',
  isFromMe: false,
  group: null,
  newsletter: null,
  isStory: false,
  isHistorical: false,
  at: new Date(0),
  messageType: 'text',
  content: { ...NO_CONTENT, text: externalMessageId },
  quotedMessageId: null,
  ...patch,
})

/** A status of a message that the number sent. */
export const report = (
  externalMessageId: string,
  status: 'SENT' | 'DELIVERED' | 'READ' | 'FAILED',
  patch: object = {},
) => ({
  type: 'messageStatus' as const,
  externalMessageId,
  messageId: null,
  status,
  failure: null,
  at: new Date(0),
  ...patch,
})

export const storedIds = (rig: Rig): string[] => rig.messages.received.map(({ externalMessageId }) => externalMessageId)
export const statuses = (rig: Rig): string[] => rig.messages.reports.map(({ status }) => status)
export const messageEvents = (rig: Rig): string[] => rig.rows.eventNames().filter((name) => name.startsWith('message.'))

/** A rig with an OFFICIAL number. Its driver reads a change as the events that `events` has for the change's value. */
export function officialHearing(events: Record<string, readonly OfficialMessageEvent[]>): {
  rig: Rig
  numberId: NumberId
} {
  const rig = officialRig({ sending: fast, readMessages: (_field, value) => events[value] ?? [] })
  return { rig, numberId: addOfficial(rig.rows) }
}

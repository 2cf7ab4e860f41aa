import type { EventId, NumberId, TenantId } from './ids.ts'
import type { NativeField } from './webhook.ts'

/** Events of our own envelope (spec: Events; contract 5). */
export const EVENT_NAMES = [
  'message.received', 'message.reply', 'message.sent', 'message.delivered', 'message.read', 'message.failed',
  'message.group', 'message.newsletter', 'message.stories',
  'call.ringing', 'call.connected', 'call.ended', 'call.missed', 'call.permission_updated',
  'lead.received',
  'number.created', 'number.connected', 'number.disconnected', 'number.removed',
  'webhook.test',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

/** An event about to be stored in the same transaction as the state that caused it. */
export interface NewEvent {
  readonly event: EventName
  /** The envelope's `data`; must be JSON. */
  readonly data: Readonly<Record<string, unknown>>
}

/** An event as stored: one of ours, or a change that upstream told of an OFFICIAL number. */
export interface StoredEvent {
  readonly event: EventName | NativeField
  readonly data: Readonly<Record<string, unknown>>
  /** Of a native change: the upstream envelope as it was written, which is delivered unchanged; `data` is the same, read. */
  readonly upstreamBody?: string
  readonly id: EventId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly createdAt: Date
}

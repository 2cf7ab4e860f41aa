import type { Capability } from './capabilities.ts'
import type { EventId, NumberId, TenantId } from './ids.ts'
import type { MessageStatus } from './message.ts'
import type { NativeField } from './upstream-fields.ts'

/** What the service knows of one event of its own. */
interface EventFacts {
  /** What a number can do that emits it; null: any can. One that cannot drops it from its lists (contract 5). */
  readonly needs: Capability | null
  /**
   * Whether `*` does not cover it, so that it must be listed by name (spec: Events; contract 5): always, never, or on
   * numbers that can do something.
   */
  readonly optIn: Capability | boolean
  /** The webhooks of a removed number still get it: its end, and that of what ended with it (contract 3 and 4). */
  readonly isLast: boolean
  /**
   * Says what was in a message or a lead, or who wrote or got it: the privacy of the number withholds it from reads.
   */
  readonly tellsOfPerson: boolean
  /** What it tells of may be erased: it is emptied then, and what was logged of it (contract 12, Erasing). */
  readonly isErasable: boolean
  /** What metrics count it as: a message that came to this status, or a call that is over. Null: as neither. */
  readonly countsAs: MessageStatus | 'CALL_OVER' | null
}

const PLAIN = {
  needs: null,
  optIn: false,
  isLast: false,
  tellsOfPerson: false,
  isErasable: false,
  countsAs: null,
} as const
const OF_MESSAGE = { ...PLAIN, tellsOfPerson: true } as const
/** Numbers with native events deliver upstream's envelope, never these (spec: Events). */
const OF_DEVICE = { ...OF_MESSAGE, needs: 'inboundEvents', countsAs: 'RECEIVED' } as const

/** Every event of our own envelope (spec: Events; contract 5), a row each: the only place that lists them. */
export const EVENTS = {
  'message.received': OF_DEVICE,
  // The native change tells of the message already.
  'message.reply': { ...OF_MESSAGE, needs: 'nativeEvents', optIn: 'nativeEvents' },
  'message.sent': { ...OF_MESSAGE, countsAs: 'SENT' },
  'message.delivered': { ...OF_MESSAGE, countsAs: 'DELIVERED' },
  'message.read': { ...OF_MESSAGE, countsAs: 'READ' },
  'message.failed': { ...OF_MESSAGE, isLast: true, countsAs: 'FAILED' },
  'message.group': OF_DEVICE,
  'message.newsletter': OF_DEVICE,
  'message.stories': OF_DEVICE,
  'call.ringing': PLAIN,
  'call.connected': PLAIN,
  'call.ended': { ...PLAIN, isLast: true, countsAs: 'CALL_OVER' },
  'call.missed': { ...PLAIN, countsAs: 'CALL_OVER' },
  'call.permission_updated': { ...PLAIN, needs: 'callPermissions' },
  'lead.received': { ...OF_MESSAGE, optIn: true, isErasable: true },
  'number.created': PLAIN,
  'number.connected': PLAIN,
  'number.disconnected': PLAIN,
  'number.removed': { ...PLAIN, isLast: true },
  // Sent to the one webhook that is tested.
  'webhook.test': { ...PLAIN, optIn: true },
} as const satisfies Readonly<Record<string, EventFacts>>

export type EventName = keyof typeof EVENTS

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[]

/** What the webhooks of a removed number still get. */
export const LAST_EVENTS = EVENT_NAMES.filter((name) => EVENTS[name].isLast)

/** Whether it is an event of ours, and no upstream field. */
export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name)
}

/** The facts of an event of ours. */
export function eventFacts(event: EventName): EventFacts {
  return EVENTS[event]
}

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
  /**
   * Of a native change: the upstream envelope as it was written, which is delivered unchanged; `data` is the same,
   * read.
   */
  readonly upstreamBody?: string
  readonly id: EventId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly createdAt: Date
}

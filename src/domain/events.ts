import type { Capability } from './capabilities.ts'
import type { EventId, NumberId, TenantId } from './ids.ts'
import type { MessageStatus } from './message.ts'
import type { Traced } from './trace.ts'
import type { NativeField } from './upstream-fields.ts'

/** What the service knows of one event of its own. */
interface EventFacts {
  /**
   * What a number must be capable of to emit it; null when any number can. Others drop it from their lists
   * ([webhooks.object.7]).
   */
  readonly needs: Capability | null
  /**
   * Whether `*` does not cover it, so that it must be listed by name ([events.subscription.1] to
   * [events.subscription.3]): always, never, or on numbers that can do something.
   */
  readonly optIn: Capability | boolean
  /** Webhooks of a removed number still get it: it tells of the number's end, and of what ended with it. */
  readonly isLast: boolean
  /**
   * It says what was in a message or a lead, or who wrote or got it: the privacy of the number withholds it from reads.
   */
  readonly tellsOfPerson: boolean
  /** What it tells of may be erased: the event is emptied then, and what was logged of it ([leads.erasing.1]). */
  readonly isErasable: boolean
  /** What metrics count it as: a message that reached this status, or a call that is over. Null when as neither. */
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
/** Numbers with native events deliver upstream's envelope, never these ([events.native.1]). */
const OF_DEVICE = { ...OF_MESSAGE, needs: 'inboundEvents', countsAs: 'RECEIVED' } as const

/**
 * Every event of the service's own envelope ([events.data.1] to [events.data.8]), a row each: the only list of them.
 */
export const EVENTS = {
  'message.received': OF_DEVICE,
  // The native change tells of the message already.
  'message.reply': { ...OF_MESSAGE, needs: 'nativeEvents', optIn: 'nativeEvents' },
  'message.sent': { ...OF_MESSAGE, countsAs: 'SENT' },
  'message.delivered': { ...OF_MESSAGE, countsAs: 'DELIVERED' },
  'message.read': { ...OF_MESSAGE, countsAs: 'READ' },
  'message.failed': { ...OF_MESSAGE, isLast: true, countsAs: 'FAILED' },
  // Upstream's native change tells of it on the other numbers.
  'message.revoked': { ...OF_MESSAGE, needs: 'inboundEvents' },
  'message.group': OF_DEVICE,
  'message.newsletter': OF_DEVICE,
  'message.stories': OF_DEVICE,
  'message.poll_vote': { ...OF_MESSAGE, needs: 'polls' },
  'call.ringing': PLAIN,
  'call.connected': PLAIN,
  'call.ended': { ...PLAIN, isLast: true, countsAs: 'CALL_OVER' },
  'call.recorded': PLAIN,
  'call.missed': { ...PLAIN, countsAs: 'CALL_OVER' },
  'call.permission_updated': { ...PLAIN, needs: 'callPermissions' },
  'lead.received': { ...OF_MESSAGE, optIn: true, isErasable: true },
  'number.created': PLAIN,
  'number.connected': PLAIN,
  'number.disconnected': PLAIN,
  'number.removed': { ...PLAIN, isLast: true },
  // It is sent to the one webhook that is tested.
  'webhook.test': { ...PLAIN, optIn: true },
} as const satisfies Readonly<Record<string, EventFacts>>

export type EventName = keyof typeof EVENTS

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[]

/** The events that webhooks of a removed number still get. */
export const LAST_EVENTS = EVENT_NAMES.filter((name) => EVENTS[name].isLast)

/** True for an event of the service; false for a field of upstream. */
export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name)
}

/** Looks up the facts of an event of the service. */
export function eventFacts(event: EventName): EventFacts {
  return EVENTS[event]
}

/** An event about to be stored in the same transaction as the state that caused it. */
export interface NewEvent extends Traced {
  readonly event: EventName
  /** The envelope's `data`; must be JSON. */
  readonly data: Readonly<Record<string, unknown>>
}

/** An event as stored: one of the service, or a change that upstream told of an OFFICIAL number. */
export interface StoredEvent extends Traced {
  readonly event: EventName | NativeField
  readonly data: Readonly<Record<string, unknown>>
  /**
   * The upstream envelope of a native change as it was written, which is delivered unchanged; `data` is the same, read.
   */
  readonly upstreamBody?: string
  readonly id: EventId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly createdAt: Date
}

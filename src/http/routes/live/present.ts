import { callIn, type Call } from '../../../domain/call.ts'
import type { StoredEvent } from '../../../domain/events.ts'
import type { Permission } from '../../../domain/permissions.ts'
import type { ConversationMove, StandingNumber, TenantChange } from '../../../ports/tenant-feed.ts'
import { presentCall } from '../calls/present.ts'
import { presentEvent } from '../events/events.ts'

/** The frames of the stream, each with the permission that its readers need ([dashboard.stream.6]). */
export const FRAMES = {
  event: 'webhooks:read',
  call: 'calls:read',
  number: 'numbers:read',
  conversation: 'chat:read',
} as const satisfies Record<string, Permission>

export interface Frame {
  readonly event: keyof typeof FRAMES
  /** JSON text. */
  readonly data: string
}

/** Changes as frames. Each is made once for all streams that send it. */
const made = new WeakMap<TenantChange, readonly Frame[]>()

/** The frames of a change. The one of an event comes last, since its id stands for all of them. */
export function framesOf(change: TenantChange): readonly Frame[] {
  const known = made.get(change)
  if (known) return known
  const frames = change.type === 'event' ? framesOfEvent(change.event) : [frameOf(change)]
  made.set(change, frames)
  return frames
}

function frameOf(change: Exclude<TenantChange, { type: 'event' }>): Frame {
  if (change.type === 'call') return callFrame(change.call)
  return change.type === 'number' ? numberFrame(change.number) : conversationFrame(change.move)
}

function framesOfEvent(event: StoredEvent): Frame[] {
  const call = callIn(event.data)
  const shown: Frame = { event: 'event', data: JSON.stringify(presentEvent(event)) }
  return call ? [{ event: 'call', data: JSON.stringify(presentToldCall(event, call)) }, shown] : [shown]
}

export function callFrame(call: Call): Frame {
  return { event: 'call', data: JSON.stringify({ ...presentCall(call), numberId: call.numberId }) }
}

export function numberFrame({ id, state, isFullyConnected, calling }: StandingNumber): Frame {
  const shown = { id, state, isFullyConnected, calling: calling === null ? null : { status: calling } }
  return { event: 'number', data: JSON.stringify(shown) }
}

function conversationFrame({ conversationId, numberId }: ConversationMove): Frame {
  return { event: 'conversation', data: JSON.stringify({ id: conversationId, numberId }) }
}

/** The call object as its event tells it. Events show numbers with `+`, other answers digits ([rest.phones.2]). */
function presentToldCall({ numberId }: StoredEvent, told: Readonly<Record<string, unknown>>) {
  const { peerNumber, fromNumber, ...fields } = told
  return {
    ...fields,
    peerNumber: withoutPlus(peerNumber),
    fromNumber: withoutPlus(fromNumber),
    numberId,
    // Beside the call object, the event of its end tells this.
    duration: undefined,
  }
}

function withoutPlus(shown: unknown): unknown {
  return typeof shown === 'string' ? shown.replace(/^\+/, '') : shown
}

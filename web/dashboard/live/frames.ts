import type { NumberState } from '../../../src/domain/number.ts'

/** A number whose connection changed ([dashboard.routes.3]). */
export interface NumberFrame {
  readonly id: string
  readonly state: NumberState
  readonly isFullyConnected: boolean
  readonly calling: { readonly status: string } | null
}

/** A call at each of its statuses: the object of the calls routes ([calls.object.1]) with its number. */
export interface CallFrame {
  readonly id: string
  readonly numberId: string
  readonly status: string
  readonly direction: 'INBOUND' | 'OUTBOUND'
  readonly peerNumber: string
  readonly createdAt: string
  readonly startedAt: string | null
  readonly connectedAt: string | null
  readonly endedAt: string | null
  readonly durationSeconds: number | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
}

/** The envelope of an event ([events.envelope.1]). */
export interface EventFrame {
  readonly id: string
  readonly event: string
  readonly channelNumberId: string | null
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A conversation that is handled otherwise ([handling.scope.3]). */
export interface ConversationFrame {
  readonly id: string
  readonly numberId: string
}

/** What the stream tells, by the type of its message. */
export interface Frames {
  readonly number: NumberFrame
  readonly call: CallFrame
  readonly event: EventFrame
  readonly conversation: ConversationFrame
  /** More was missed than the service kept: whatever is shown has to be read again. */
  readonly resync: Readonly<Record<string, never>>
}

export type Listeners = { readonly [Type in keyof Frames]?: (frame: Frames[Type]) => void }

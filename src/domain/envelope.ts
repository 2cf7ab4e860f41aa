import type { EventName } from './events.ts'
import type { EventId, NumberId } from './ids.ts'
import type { Traced } from './trace.ts'
import type { NativeField } from './upstream-fields.ts'

/** The fields of an event that its body is made of. */
export interface Deliverable extends Traced {
  readonly id: EventId
  readonly event: EventName | NativeField
  readonly numberId: NumberId
  readonly createdAt: Date
  readonly data: Readonly<Record<string, unknown>>
  /**
   * The body of a native change of an OFFICIAL number as its upstream wrote it. It goes out unchanged, without an
   * envelope ([events.native.2]).
   */
  readonly upstreamBody?: string
}

/**
 * Writes the body of a delivery ([events.envelope.1]). It depends on the stored event alone, so every retry carries the
 * same bytes, a receiver may compare them, and a log need not keep them.
 */
export function bodyOf(event: Deliverable): string {
  return (
    event.upstreamBody
    ?? JSON.stringify({
      id: event.id,
      event: event.event,
      channelNumberId: event.numberId,
      timestamp: event.createdAt.toISOString(),
      data: event.data,
    })
  )
}

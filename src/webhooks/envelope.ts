import type { EventName } from '../domain/events.ts'
import type { EventId, NumberId } from '../domain/ids.ts'
import type { NativeField } from '../domain/upstream-fields.ts'

/** The fields of an event that the sender needs. */
export interface Deliverable {
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

/** A body that is made once, so that the same bytes are signed, sent and logged. */
export interface Envelope {
  readonly bytes: Buffer
  readonly text: string
}

/**
 * Writes the body of a delivery ([events.envelope.1]). It depends on the stored event alone, so every retry carries the
 * same bytes, and a receiver may compare them.
 */
export function makeEnvelope(event: Deliverable): Envelope {
  const text =
    event.upstreamBody
    ?? JSON.stringify({
      id: event.id,
      event: event.event,
      channelNumberId: event.numberId,
      timestamp: event.createdAt.toISOString(),
      data: event.data,
    })
  return { text, bytes: Buffer.from(text) }
}

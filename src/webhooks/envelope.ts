import type { EventName } from '../domain/events.ts'
import type { EventId, NumberId } from '../domain/ids.ts'
import type { NativeField } from '../domain/upstream-fields.ts'

/** What the sender must know of an event. */
export interface Deliverable {
  readonly id: EventId
  readonly event: EventName | NativeField
  readonly numberId: NumberId
  readonly createdAt: Date
  readonly data: Readonly<Record<string, unknown>>
  /**
   * A native change of an OFFICIAL number as its upstream wrote it: it goes out unchanged, without an envelope
   * (contract 5).
   */
  readonly upstreamBody?: string
}

/** A body made once: the same bytes are signed, sent and logged. */
export interface Envelope {
  readonly bytes: Buffer
  readonly text: string
}

/**
 * Writes the body of a delivery (contract 5). It follows from the stored event alone, so every retry carries the same
 * bytes: a receiver may compare them.
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

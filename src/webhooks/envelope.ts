import { bodyOf, type Deliverable } from '../domain/envelope.ts'

/** A body that is made once, so that the same bytes are signed, sent and logged. */
export interface Envelope {
  readonly bytes: Buffer
  readonly text: string
}

/** Makes the body of an event's deliveries. */
export function makeEnvelope(event: Deliverable): Envelope {
  const text = bodyOf(event)
  return { text, bytes: Buffer.from(text) }
}

import type { MessageBatchId, MessageId, NumberId } from '../src/domain/ids.ts'

/** A message that a client sent, and was told is accepted. */
export interface Accepted {
  readonly numberId: NumberId
  readonly address: string
  readonly text: string
  readonly messageId: MessageId
  /** When the client knew, in simulated ms. */
  readonly atMs: number
  /** When it was to go, in simulated ms; null for at once. */
  readonly deliverAtMs: number | null
  /** Its batch; null when it was sent alone. */
  readonly batch: OfBatch | null
}

/** The place of a message in its batch, from 0. */
export interface OfBatch {
  readonly id: MessageBatchId
  readonly place: number
  /** Most messages of the batch that are begun in a minute; null for as many as the number sends. */
  readonly perMinute: number | null
}

/** A batch that a client asked to cancel. */
export interface Canceled {
  readonly batchId: MessageBatchId
  /** How many messages it was told are canceled, the last time that it asked. */
  readonly told: number
}

/** A message that a person wrote to a number. */
export interface Written {
  readonly numberId: NumberId
  readonly from: string
  readonly text: string
  readonly externalMessageId: string
}

/** A number that a client was told is removed. */
export interface Removed {
  readonly numberId: NumberId
  readonly atMs: number
}

/** A change of a setting that a client asked for. */
export interface Configured {
  readonly numberId: NumberId
  readonly word: string
  readonly beganMs: number
  /** When the client was told that it is done; null when it never was. */
  readonly endedMs: number | null
}

/** What a tenant was told and could not verify. */
export interface Unverified {
  readonly url: string
  /** Of the event. */
  readonly id: string
}

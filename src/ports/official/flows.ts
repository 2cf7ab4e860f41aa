import type { Outcome } from '../../domain/errors.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { UpstreamWrite } from './write.ts'

/** A Flow as upstream shows it. */
export interface UpstreamFlow {
  /** Digits, beyond 2^53. */
  readonly externalId: string
  readonly name: string
  /** Upstream's own word, upper case. */
  readonly status: string
  readonly categories: readonly string[]
  /** Null where upstream does not say: it has no document, or it was not asked. */
  readonly jsonVersion: string | null
  readonly validationErrors: readonly Fields[]
  /** `health_status.can_send_message`; null where upstream does not say. */
  readonly health: string | null
  readonly previewUrl: string | null
}

/** What a new Flow is made of. `cloneOf`: upstream's id of the one whose document it takes over. */
export interface FlowSubmission {
  readonly name: string
  readonly categories: readonly string[]
  readonly cloneOf: string | null
}

/**
 * Absent fields stay as they are. `endpointUri`: where its phones ask for data; empty for none. `applicationId`: whose
 * secret signs what they ask.
 */
export interface FlowMetadata {
  readonly name?: string
  readonly categories?: readonly string[]
  readonly endpointUri?: string
  readonly applicationId?: string
}

/** What upstream does with the public half of a key pair (`whatsapp_business_encryption`). */
export interface EncryptionPort {
  /** PEM. */
  setPublicKey(publicKey: string): Promise<UpstreamWrite<null>>
  /** Null: the number has none. */
  publicKey(): Promise<Outcome<{ readonly publicKey: string; readonly status: string | null } | null>>
}

/** Flows of the number's account (contract 11). Nothing is repeated in here that was sent and not answered. */
export interface FlowsPort {
  create(submission: FlowSubmission): Promise<UpstreamWrite<{ readonly externalId: string }>>
  update(externalId: string, metadata: FlowMetadata): Promise<UpstreamWrite<null>>
  /** Byte for byte, as the file `flow.json`. What upstream finds wrong comes back though it says success. */
  upload(externalId: string, flowJson: string): Promise<UpstreamWrite<{ readonly validationErrors: readonly Fields[] }>>
  publish(externalId: string): Promise<UpstreamWrite<null>>
  deprecate(externalId: string): Promise<UpstreamWrite<null>>
  remove(externalId: string): Promise<UpstreamWrite<null>>
  /** With every field of UpstreamFlow. Null: upstream has none by that id (100, subcode 33, or HTTP 404). */
  read(externalId: string): Promise<Outcome<UpstreamFlow | null>>
  /**
   * A page of all, at most 100, with every field; `after` of the page before, null for the first. `next` null: it was
   * the last. `isWhole` false: something in it cannot be read.
   */
  page(
    after: string | null,
  ): Promise<
    Outcome<{ readonly flows: readonly UpstreamFlow[]; readonly next: string | null; readonly isWhole: boolean }>
  >
  /** The document as upstream holds it, byte for byte; null: it has none yet. */
  document(externalId: string): Promise<Outcome<string | null>>
}

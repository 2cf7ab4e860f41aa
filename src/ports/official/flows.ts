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
  /** Null when upstream does not tell it: there is no document, or it was not asked for. */
  readonly jsonVersion: string | null
  readonly validationErrors: readonly Fields[]
  /** `health_status.can_send_message`; null when upstream does not tell it. */
  readonly health: string | null
  readonly previewUrl: string | null
}

/** The fields of a new Flow. `cloneOf` is upstream's id of the Flow whose document it copies. */
export interface FlowSubmission {
  readonly name: string
  readonly categories: readonly string[]
  readonly cloneOf: string | null
}

/**
 * The fields to change; absent ones stay as they are. `endpointUri` is where the Flow's phones ask for data, empty for
 * none. `applicationId` names the app whose secret signs their questions.
 */
export interface FlowMetadata {
  readonly name?: string
  readonly categories?: readonly string[]
  readonly endpointUri?: string
  readonly applicationId?: string
}

/** The requests about the public half of a key pair (`whatsapp_business_encryption`). */
export interface EncryptionPort {
  /** Sets the public key, in PEM. */
  setPublicKey(publicKey: string): Promise<UpstreamWrite<null>>
  /** Reads the public key; null when the number has none. */
  publicKey(): Promise<Outcome<{ readonly publicKey: string; readonly status: string | null } | null>>
}

/** Flows of the number's account ([flows.scope.1]). The port never repeats a write that was sent and not answered. */
export interface FlowsPort {
  create(submission: FlowSubmission): Promise<UpstreamWrite<{ readonly externalId: string }>>
  update(externalId: string, metadata: FlowMetadata): Promise<UpstreamWrite<null>>
  /**
   * Uploads the text byte for byte, as the file `flow.json` ([flows.document.3]). Upstream's faults come back although
   * it says success.
   */
  upload(externalId: string, flowJson: string): Promise<UpstreamWrite<{ readonly validationErrors: readonly Fields[] }>>
  publish(externalId: string): Promise<UpstreamWrite<null>>
  deprecate(externalId: string): Promise<UpstreamWrite<null>>
  remove(externalId: string): Promise<UpstreamWrite<null>>
  /** Reads every field of UpstreamFlow. Null when upstream has no such id (100, subcode 33, or HTTP 404). */
  read(externalId: string): Promise<Outcome<UpstreamFlow | null>>
  /**
   * Reads a page of all Flows, at most 100, with every field. `after` comes from the page before, null for the first;
   * `next` is null after the last. `isWhole` is false when something in the page cannot be read.
   */
  page(
    after: string | null,
  ): Promise<
    Outcome<{ readonly flows: readonly UpstreamFlow[]; readonly next: string | null; readonly isWhole: boolean }>
  >
  /** Reads the document as upstream holds it, byte for byte; null when there is none yet. */
  document(externalId: string): Promise<Outcome<string | null>>
}

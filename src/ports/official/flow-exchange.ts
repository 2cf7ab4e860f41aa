import type { Fields } from '../../domain/json-fields.ts'
import type { FlowKeyPair } from '../stores/flow-key-store.ts'

/** What the phone of a Flow asks its endpoint, in clear, and how that is answered. */
export interface OpenedExchange {
  /** JSON text of an object, as the phone wrote it. */
  readonly text: string
  /** The same, parsed. */
  readonly asked: Fields
  /** Encrypts JSON text so that only this phone reads it, as the body of the answer. */
  seal(answer: string): string
}

/**
 * Reads the raw body with the first of the private keys (PEM) that can; null, whatever the reason, where none can.
 * Never rejects.
 */
export type OpenExchange = (rawBody: Uint8Array, privateKeys: readonly string[]) => Promise<OpenedExchange | null>

/** Makes a pair that upstream takes: RSA of 2048 bits. */
export type MakeFlowKeyPair = () => Promise<FlowKeyPair>

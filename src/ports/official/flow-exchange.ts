import type { Fields } from '../../domain/json-fields.ts'
import type { FlowKeyPair } from '../stores/flow-key-store.ts'

/** The decrypted question of a Flow's phone to its endpoint, and the means to answer it. */
export interface OpenedExchange {
  /** JSON text of an object, as the phone wrote it. */
  readonly text: string
  /** The same object, parsed. */
  readonly asked: Fields
  /** Encrypts JSON text so that only this phone reads it, as the body of the answer. */
  seal(answer: string): string
}

/**
 * Decrypts the raw body with the first of the private keys (PEM) that can; null, whatever the reason, when none can.
 * Never rejects.
 */
export type OpenExchange = (rawBody: Uint8Array, privateKeys: readonly string[]) => Promise<OpenedExchange | null>

/** Makes a key pair that upstream takes: RSA of 2048 bits. */
export type MakeFlowKeyPair = () => Promise<FlowKeyPair>

import type { BridgeError } from '../../../src/domain/device-bridge.ts'

/**
 * A refusal of the engine, which becomes the error of an answer ([bridge.socket.3]). `retryable` says that the same
 * request may work later.
 */
export class Refusal extends Error {
  /** `details` are facts that a gateway may show beside the code, such as a missing capability. */
  readonly error: BridgeError & { readonly details?: Readonly<Record<string, unknown>> }

  constructor(code: string, message: string, retryable: boolean = false, details?: Readonly<Record<string, unknown>>) {
    super(message)
    this.name = 'Refusal'
    this.error = { code, message, retryable, ...(details === undefined ? {} : { details }) }
  }
}

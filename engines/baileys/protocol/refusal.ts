import type { BridgeError } from '../../../src/domain/device-bridge.ts'

/**
 * What the engine refuses: becomes the error of an answer ([bridge.socket.3]). `retryable`: the same again may work
 * later.
 */
export class Refusal extends Error {
  /** `details`: what a gateway may show beside the code, as of a capability that is missing. */
  readonly error: BridgeError & { readonly details?: Readonly<Record<string, unknown>> }

  constructor(code: string, message: string, retryable: boolean = false, details?: Readonly<Record<string, unknown>>) {
    super(message)
    this.name = 'Refusal'
    this.error = { code, message, retryable, ...(details === undefined ? {} : { details }) }
  }
}

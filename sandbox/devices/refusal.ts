import type { BridgeError } from '../../src/domain/device-bridge.ts'

/** An operation that the engine refuses; it becomes the error of the answer. */
export class BridgeRefusal extends Error {
  readonly error: BridgeError

  constructor(code: string, message: string, retryable: boolean = false) {
    super(message)
    this.name = 'BridgeRefusal'
    this.error = { code, message, retryable }
  }
}

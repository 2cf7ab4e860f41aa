import { BridgeRefusal } from '../devices/refusal.ts'

/** An answer of the control API that refuses a request: `{error, code}`. */
export class ControlRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly details: unknown

  constructor(status: number, code: string, message: string, details?: unknown) {
    super(message)
    this.name = 'ControlRefusal'
    this.status = status
    this.code = code
    this.details = details
  }
}

/** Turns a refusal of the network into one of the control API. */
export function refusing<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof BridgeRefusal) throw new ControlRefusal(409, error.error.code, error.message)
    throw error
  }
}

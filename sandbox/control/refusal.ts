import { BridgeRefusal } from '../devices/refusal.ts'

/** What the control API answers instead of doing what was asked: `{error, code}`. */
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

/** A refusal of the network as the control API answers it. */
export function refusing<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof BridgeRefusal) throw new ControlRefusal(409, error.error.code, error.message)
    throw error
  }
}

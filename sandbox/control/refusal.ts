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

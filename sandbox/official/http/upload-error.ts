import { GraphError } from './graph-error.ts'

/** A refusal of the host for uploads, which has a form of its own, without a code. */
export class UploadError extends GraphError {
  readonly #info: object

  constructor(status: number, type: string, message: string, isRetriable: boolean = false) {
    super(1, { status, message })
    this.name = 'UploadError'
    this.#info = { retriable: isRetriable, type, message }
  }

  override envelope(): object {
    return { debug_info: this.#info }
  }
}

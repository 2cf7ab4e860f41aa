/** A refusal of the service. Branch on `code`, which is stable; `message` is for people. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError'
  readonly status: number
  /** Such as `CHANNEL_INSTANCE_NOT_CONNECTED`; null where the cause has none. */
  readonly code: string | null
  /** Of a body that does not fit: a list of `{path, message}`. */
  readonly details: unknown
  /** For support and logs; null where the answer is not of the service. */
  readonly requestId: string | null
  /** Seconds to wait before the next try; null where none were named. */
  readonly retryAfter: number | null
  /** The answer as JSON, or as text where it is none. */
  readonly body: unknown

  constructor(status: number, body: unknown, headers: Headers) {
    const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {}
    super(typeof fields['error'] === 'string' ? fields['error'] : `HTTP ${status}`)
    this.status = status
    this.code = typeof fields['code'] === 'string' ? fields['code'] : null
    this.details = fields['details']
    this.requestId = headers.get('x-request-id')
    const seconds = headers.get('retry-after')
    this.retryAfter = seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) : null
    this.body = body
  }

  /** Reads a refusal. */
  static async of(answer: Response): Promise<ChannelError> {
    const text = await answer.text()
    return new ChannelError(answer.status, asJson(text), answer.headers)
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

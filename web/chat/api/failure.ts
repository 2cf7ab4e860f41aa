/** What a request came to when it came to nothing. */
export type FailureKind = 'network' | 'session' | 'refused'

/** A request that failed: by the network, by a session that is over, or refused with a code ([embeds.errors.1]). */
export class RequestFailure extends Error {
  readonly kind: FailureKind
  readonly code: string | null
  readonly status: number
  /** From `retry-after`, in ms. */
  readonly retryAfterMs: number | null
  readonly details: unknown

  constructor(
    kind: FailureKind,
    message: string,
    answer: {
      readonly code?: string | null
      readonly status?: number
      readonly retryAfterMs?: number | null
      readonly details?: unknown
    } = {},
  ) {
    super(message)
    this.kind = kind
    this.code = answer.code ?? null
    this.status = answer.status ?? 0
    this.retryAfterMs = answer.retryAfterMs ?? null
    this.details = answer.details
  }
}

/** Whether asking again may help. */
export function isPassing({ kind, status }: RequestFailure): boolean {
  return kind === 'network' || status === 429 || status >= 500
}

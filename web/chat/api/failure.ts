/** Why a request has no result. */
export type FailureKind = 'network' | 'session' | 'refused'

/** A request that failed: by the network, by a session that is over, or refused with a code ([embeds.errors.1]). */
export class RequestFailure extends Error {
  readonly kind: FailureKind
  readonly code: string | null
  readonly status: number
  /** Ms to wait before another try, from `retry-after`; null when the answer names none. */
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

/** Whether a request was answered; false when it failed. */
export async function isDone(request: Promise<unknown>): Promise<boolean> {
  try {
    await request
    return true
  } catch (error) {
    if (error instanceof RequestFailure) return false
    throw error
  }
}

/** Whether another try may succeed. */
export function isPassing({ kind, status }: RequestFailure): boolean {
  return kind === 'network' || status === 429 || status >= 500
}

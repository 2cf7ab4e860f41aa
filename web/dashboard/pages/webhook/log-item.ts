/** One attempt as the service answers it ([webhooks.logs.2]). */
export interface LogItem {
  readonly id: string
  readonly event: string
  readonly eventId: string
  readonly attempt: number
  readonly status: 'SUCCESS' | 'FAILED'
  /** 0 when no answer came. */
  readonly statusCode: number
  /** The delivered body; empty where privacy keeps none. */
  readonly payload: string
  readonly response: string
  readonly durationMs: number
  readonly createdAt: string
}

export interface LogAnswer {
  readonly logs: readonly LogItem[]
}

/** The most items of an answer ([webhooks.routes.8]). */
export const LOG_PAGE = 50

/**
 * Puts a newly read first page before the items that are there. Null when the two do not meet, so that attempts between
 * them would be missing: attempts never change, and only new ones come.
 */
export function joined(newest: readonly LogItem[], now: readonly LogItem[]): readonly LogItem[] | null {
  const first = now[0]
  if (first === undefined) return newest.length < LOG_PAGE ? newest : null
  const at = newest.findIndex(({ id }) => id === first.id)
  if (at < 0) return null
  return at === 0 ? now : [...newest.slice(0, at), ...now]
}

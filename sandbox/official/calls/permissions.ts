import { GraphError } from '../http/graph-error.ts'
import type { OfficialNumber } from '../registry/registry.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** A message or call of the user opens the customer service window for this long. */
const WINDOW_MS = DAY_MS
/** A temporary permission lasts 7 days. */
const TEMPORARY_MS = WEEK_MS
/** Calls answered within 24 h for a number and a user. */
const MAX_CONNECTED = 100
/** Rules of live numbers, and the wider ones of numbers for tests. */
const RULES = {
  LIVE: { perDay: 1, perWeek: 2, unansweredBeforeRevoke: 4 },
  SANDBOX: { perDay: 25, perWeek: 100, unansweredBeforeRevoke: 10 },
} as const

export type PermissionAnswer =
  | { readonly response: 'accept'; readonly isPermanent: boolean }
  | { readonly response: 'reject' | 'revoke' }

/** State between one number and one user. */
interface Pair {
  permission: 'none' | 'permanent' | { readonly expiresAtMs: number }
  /** Ms since the epoch of requests that count; a connected call forgets them. */
  requests: number[]
  /** The request that waits for the user's answer; null when none does. */
  pendingRequestId: string | null
  connected: number[]
  windowOpenedAtMs: number | null
  unanswered: number
}

function since(times: readonly number[], fromMs: number): number[] {
  return times.filter((time) => time > fromMs)
}

function limit(period: string, max: number, times: readonly number[], periodMs: number): object {
  const oldest = times[times.length - max]
  return {
    time_period: period,
    max_allowed: max,
    current_usage: times.length,
    ...(oldest === undefined ? {} : { limit_expiration_time: Math.floor((oldest + periodMs) / 1_000) }),
  }
}

/** Call permissions, request counters and customer service windows. */
export class Permissions {
  readonly #pairs = new Map<string, Pair>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** The user wrote or called: free text may be sent for 24 h. */
  openWindow(number: OfficialNumber, user: string): void {
    this.#pair(number, user).windowOpenedAtMs = this.#now()
  }

  assertWindow(number: OfficialNumber, user: string): void {
    if (this.isWindowOpen(number, user)) return
    throw new GraphError(131047, {
      details:
        'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
    })
  }

  isWindowOpen(number: OfficialNumber, user: string): boolean {
    const { windowOpenedAtMs } = this.#pair(number, user)
    return windowOpenedAtMs !== null && this.#now() < windowOpenedAtMs + WINDOW_MS
  }

  /** Counts a permission request, or refuses it. */
  request(number: OfficialNumber, user: string, messageId: string): void {
    const pair = this.#pair(number, user)
    if (pair.permission === 'permanent')
      throw new GraphError(138017, { details: 'The user has granted a permanent permission already' })
    const { day, week } = this.#requests(pair)
    const { perDay, perWeek } = RULES[number.accountMode]
    if (day.length >= perDay || week.length >= perWeek) {
      throw new GraphError(138009, {
        details: `Only ${perDay} call permission request(s) in 24 hours and ${perWeek} in 7 days can be sent to a user`,
      })
    }
    pair.requests.push(this.#now())
    pair.pendingRequestId = messageId
  }

  /** The request that waits for an answer, null when none does. */
  pending(number: OfficialNumber, user: string): string | null {
    return this.#pair(number, user).pendingRequestId
  }

  /** Notes the user's decision. Answers when a temporary permission ends, in ms since the epoch, else null. */
  answer(number: OfficialNumber, user: string, answer: PermissionAnswer): number | null {
    const pair = this.#pair(number, user)
    pair.pendingRequestId = null
    pair.unanswered = 0
    if (answer.response !== 'accept') {
      pair.permission = 'none'
      return null
    }
    const expiresAtMs = this.#now() + TEMPORARY_MS
    pair.permission = answer.isPermanent ? 'permanent' : { expiresAtMs }
    return answer.isPermanent ? null : expiresAtMs
  }

  /** Refuses a business-initiated call without permission, or beyond the limit of the pair. */
  assertCallable(number: OfficialNumber, user: string): void {
    const pair = this.#pair(number, user)
    if (this.#statusOf(pair) === 'no_permission')
      throw new GraphError(138006, { details: 'The user has not permitted calls from this business' })
    const connected = since(pair.connected, this.#now() - DAY_MS)
    const oldest = connected[connected.length - MAX_CONNECTED]
    if (oldest === undefined) return
    throw new GraphError(138012, {
      details: `Only ${MAX_CONNECTED} connected calls in 24 hours are allowed with a user. The next call is allowed at ${new Date(oldest + DAY_MS).toISOString()}`,
    })
  }

  /** Notes that a business-initiated call was answered: request counters restart, and the window opens. */
  connected(number: OfficialNumber, user: string): void {
    const pair = this.#pair(number, user)
    pair.connected = [...since(pair.connected, this.#now() - DAY_MS), this.#now()]
    pair.requests = []
    pair.unanswered = 0
    pair.windowOpenedAtMs = this.#now()
  }

  /** Notes that a business-initiated call was not answered. True when that revoked the permission. */
  unanswered(number: OfficialNumber, user: string): boolean {
    const pair = this.#pair(number, user)
    pair.unanswered++
    if (pair.unanswered < RULES[number.accountMode].unansweredBeforeRevoke || this.#statusOf(pair) === 'no_permission')
      return false
    pair.permission = 'none'
    pair.unanswered = 0
    return true
  }

  /** Body of `GET /{phoneId}/call_permissions`. */
  present(number: OfficialNumber, user: string): object {
    const pair = this.#pair(number, user)
    const status = this.#statusOf(pair)
    const { day, week } = this.#requests(pair)
    const connected = since(pair.connected, this.#now() - DAY_MS)
    const { perDay, perWeek } = RULES[number.accountMode]
    return {
      messaging_product: 'whatsapp',
      permission: {
        status,
        ...(typeof pair.permission === 'object' && status === 'temporary'
          ? { expiration_time: Math.floor(pair.permission.expiresAtMs / 1_000) }
          : {}),
      },
      actions: [
        {
          action_name: 'send_call_permission_request',
          can_perform_action: status !== 'permanent' && day.length < perDay && week.length < perWeek,
          limits: [limit('PT24H', perDay, day, DAY_MS), limit('P7D', perWeek, week, WEEK_MS)],
        },
        {
          action_name: 'start_call',
          can_perform_action: status !== 'no_permission' && connected.length < MAX_CONNECTED,
          limits: [limit('PT24H', MAX_CONNECTED, connected, DAY_MS)],
        },
      ],
    }
  }

  reset(): void {
    this.#pairs.clear()
  }

  #requests(pair: Pair): { day: number[]; week: number[] } {
    const now = this.#now()
    return { day: since(pair.requests, now - DAY_MS), week: since(pair.requests, now - WEEK_MS) }
  }

  /** The present status. A temporary permission ends without a webhook. */
  #statusOf({ permission }: Pair): 'no_permission' | 'temporary' | 'permanent' {
    if (permission === 'none' || permission === 'permanent')
      return permission === 'none' ? 'no_permission' : 'permanent'
    return this.#now() < permission.expiresAtMs ? 'temporary' : 'no_permission'
  }

  #pair(number: OfficialNumber, user: string): Pair {
    const key = `${number.phoneId} ${user}`
    const known = this.#pairs.get(key)
    if (known) return known
    const made: Pair = {
      permission: 'none',
      requests: [],
      pendingRequestId: null,
      connected: [],
      windowOpenedAtMs: null,
      unanswered: 0,
    }
    this.#pairs.set(key, made)
    return made
  }
}

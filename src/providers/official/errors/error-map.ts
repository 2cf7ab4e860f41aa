import { REFUSALS, refuse } from '../../../domain/errors.ts'
import type { Refusal, RefusalCode } from '../../../domain/errors.ts'
import type { NumberMark } from '../../../domain/official.ts'
import { waitMsOf } from './graph-error.ts'
import type { GraphFailure } from './graph-error.ts'

interface Entry {
  readonly code: RefusalCode
  readonly message: string
  /** True when the same request may succeed shortly. */
  readonly isRetryable?: true
  /** Least wait before the next try, ms: upstream's advice, or our choice. */
  readonly leastWaitMs?: number
  readonly mark?: NumberMark
}

const THROTTLED: Entry = {
  code: 'OFFICIAL_THROTTLED',
  message: 'The official platform throttles this account. Try again later.',
  isRetryable: true,
}
/** Our choice: no asker and no message waits longer than this, ms, whatever upstream says. */
const LONGEST_WAIT_MS = 3_600_000
/**
 * Our choice: when too many users block or report a number's messages, the next is sent an hour later at the earliest;
 * upstream advises a day.
 */
const SPAM_WAIT_MS = 3_600_000
const SPAM: Entry = {
  code: 'OFFICIAL_THROTTLED',
  message: 'The official platform holds messages of this number back, as too many were blocked or reported.',
  leastWaitMs: SPAM_WAIT_MS,
}
/** Throttling that a short wait does not end. */
const SLOWED: Entry = { code: 'OFFICIAL_THROTTLED', message: THROTTLED.message }
const FAILING: Entry = {
  code: 'OFFICIAL_ERROR',
  message: 'The official platform has a fault. Try again shortly.',
  isRetryable: true,
}
const TOKEN_INVALID: Entry = {
  code: 'OFFICIAL_REQUEST_REFUSED',
  message: 'The access token of this number is not valid any more. Give the number a new one.',
  mark: 'TOKEN_INVALID',
}
const RESTRICTED: Entry = {
  code: 'OFFICIAL_REQUEST_REFUSED',
  message: 'The official platform has restricted this account. Its Business Manager says why.',
  mark: 'RESTRICTED',
}
const CALL_LIMIT: Entry = {
  code: 'OFFICIAL_THROTTLED',
  message: 'The number has reached a limit of calls on the official platform. Try again later.',
}

const NOT_FOUND = 404
const REFUSED: Entry = { code: 'OFFICIAL_REQUEST_REFUSED', message: 'The official platform refused the request.' }

/**
 * Upstream code -> our refusal, whether to try again, and what it says about the number (docs/contract/calls.md for
 * codes of calls). One row a code.
 */
const TABLE: Readonly<Record<number, Entry>> = {
  // [calls.upstream-codes.1] to [calls.upstream-codes.8].
  138000: {
    code: 'OFFICIAL_CALLING_NOT_ENABLED',
    message: 'Calling is not enabled on this number.',
    mark: 'CALLING_DISABLED',
  },
  138006: {
    code: 'OFFICIAL_CALL_PERMISSION_REQUIRED',
    message: 'The contact has not permitted calls. Ask for permission first.',
  },
  138009: {
    code: 'OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT',
    message: 'No further permission request may be sent to this contact for now.',
  },
  138012: { code: 'OFFICIAL_CALL_LIMIT_REACHED', message: 'The limit of calls to this contact is reached for now.' },
  138015: {
    code: 'OFFICIAL_CALLING_TIER_TOO_LOW',
    message: 'Calling needs a messaging limit of at least 2,000.',
    mark: 'PENDING_TIER',
  },
  138018: {
    code: 'OFFICIAL_CALLING_PREREQUISITES_UNMET',
    message: 'Subscribe the app to the calls webhook field of the account, then try again.',
    mark: 'PENDING_WEBHOOK',
  },
  131044: { code: 'OFFICIAL_CALLING_PAYMENT_REQUIRED', message: 'The account has no valid payment method.' },
  131047: { code: 'OFFICIAL_OUTSIDE_24H_WINDOW', message: 'The contact has not written or called within 24 hours.' },
  // Throttling: upstream answers these with 400 or 429, so the code decides.
  4: THROTTLED,
  17: THROTTLED,
  32: THROTTLED,
  613: THROTTLED,
  // Codes by use case, ads, Pages, leads and the management of accounts among them ([leads.fetching.4]).
  ...Object.fromEntries(Array.from({ length: 15 }, (_, at) => [80_000 + at, THROTTLED])),
  130429: THROTTLED,
  131056: THROTTLED,
  131048: SPAM,
  133016: SLOWED,
  138002: CALL_LIMIT,
  138005: CALL_LIMIT,
  // Upstream's own faults.
  1: FAILING,
  2: FAILING,
  131000: FAILING,
  131016: FAILING,
  131057: FAILING,
  133004: FAILING,
  138004: FAILING,
  138007: FAILING,
  // Upstream could not authenticate, the session behind the token has ended, or the token itself has.
  0: TOKEN_INVALID,
  102: TOKEN_INVALID,
  190: TOKEN_INVALID,
  // The account is blocked for a violation of policies, or locked ([message-verbs.pace.3]).
  368: RESTRICTED,
  131031: RESTRICTED,
  // Codes of a template, a Flow, marketing or the business: final whatever the status of the answer, and not tried
  // again (docs/contract/templates.md, send failures).
  131037: REFUSED,
  131042: REFUSED,
  131049: REFUSED,
  131050: REFUSED,
  132000: REFUSED,
  132001: REFUSED,
  132005: REFUSED,
  132007: REFUSED,
  132012: REFUSED,
  132015: REFUSED,
  132016: REFUSED,
  132018: REFUSED,
  132068: REFUSED,
  132069: REFUSED,
  139000: REFUSED,
  139001: REFUSED,
  139002: REFUSED,
  139003: REFUSED,
  139004: REFUSED,
  139005: REFUSED,
  139006: REFUSED,
  141006: REFUSED,
  141010: REFUSED,
}

function entryOf(failure: GraphFailure & { kind: 'error' }): Entry {
  const known = failure.code === null ? undefined : TABLE[failure.code]
  if (known) return known
  if (failure.isTransient || failure.status >= 500) return FAILING
  if (failure.status === 429) return THROTTLED
  return REFUSED
}

/** Translates a failure for the caller, with `details {upstreamCode, upstreamMessage}` ([calls.upstream-codes.10]). */
export function refusalOf(failure: GraphFailure): Refusal {
  switch (failure.kind) {
    case 'error': {
      const { code, message } = entryOf(failure)
      const waitMs = waitedMs(failure)
      const details = { upstreamCode: failure.code, upstreamMessage: failure.message }
      const isLater = code === 'OFFICIAL_THROTTLED' || code === 'OFFICIAL_ERROR'
      return refuse(code, message, details, isLater && waitMs !== null ? waitMs / 1000 : undefined)
    }
    case 'unreadable': {
      const waitMs = waitedMs(failure)
      return refuse(
        'OFFICIAL_ERROR',
        FAILING.message,
        { upstreamCode: null, upstreamMessage: `The answer (HTTP ${failure.status}) cannot be read.` },
        waitMs === null ? undefined : waitMs / 1000,
      )
    }
    case 'unanswered':
      return refuse('OFFICIAL_ERROR', 'The official platform did not answer.', {
        upstreamCode: null,
        upstreamMessage: failure.failure.message,
      })
    case 'crowded':
      return refuse('BUSY', 'Too many requests of this number wait for the official platform.', undefined, 1)
  }
}

/** True when upstream has no such object, or hides it: it answers both with 100/33. */
export function isNotShown(failure: GraphFailure): boolean {
  switch (failure.kind) {
    case 'error':
      return failure.status === NOT_FOUND || (failure.code === 100 && failure.subcode === 33)
    case 'unreadable':
      return failure.status === NOT_FOUND
    default:
      return false
  }
}

/**
 * Wait before the next try, ms: what upstream asks for, an hour at most, and at least what its code implies; null when
 * neither says.
 */
export function waitedMs(failure: GraphFailure): number | null {
  const leastMs = failure.kind === 'error' ? (entryOf(failure).leastWaitMs ?? null) : null
  const askedMs = waitMsOf(failure)
  return leastMs === null && askedMs === null ? null : Math.max(leastMs ?? 0, Math.min(LONGEST_WAIT_MS, askedMs ?? 0))
}

/** Translates a refusal while a number is being connected, which blames its token and ids ([official.create.4]). */
export function credentialsRefusalOf(failure: GraphFailure): Refusal {
  const refusal = refusalOf(failure)
  if (!isRefused(failure)) return refusal
  return refuse(
    'OFFICIAL_CREDENTIALS_REJECTED',
    `The official platform refused to connect the number: ${failure.message}`,
    refusal.details,
  )
}

/** The refusal for an answer without what was asked for. */
export function unreadable(reason: string): Refusal {
  return refuse('OFFICIAL_ERROR', 'The official platform gave an answer that cannot be read.', {
    upstreamCode: null,
    upstreamMessage: reason,
  })
}

/** True when the same request may succeed shortly, provided that doing it twice does no harm. */
export function isRetryable(failure: GraphFailure): boolean {
  switch (failure.kind) {
    case 'error':
      return failure.isTransient || entryOf(failure).isRetryable === true
    case 'unreadable':
      return failure.status >= 500
    case 'unanswered':
      return true
    case 'crowded':
      return false
  }
}

/** What a failure says about the number; null when it concerns the request alone. */
export function markOf(failure: GraphFailure): NumberMark | null {
  // With a subcode 368 is about what was submitted, such as the words of a template.
  if (failure.kind !== 'error' || (failure.code === 368 && failure.subcode !== null)) return null
  return entryOf(failure).mark ?? null
}

/** True when upstream refused the request as such: it is neither failing nor throttling. */
function isRefused(failure: GraphFailure): failure is GraphFailure & { kind: 'error' } {
  return failure.kind === 'error' && !['OFFICIAL_ERROR', 'OFFICIAL_THROTTLED'].includes(entryOf(failure).code)
}

/** The outcome as a word of a closed set, for metrics and logs. */
export function outcomeOf(failure: GraphFailure): 'refused' | 'throttled' | 'failed' | 'unanswered' | 'crowded' {
  if (failure.kind !== 'error') return failure.kind === 'unreadable' ? 'failed' : failure.kind
  const { code } = entryOf(failure)
  if (code === 'OFFICIAL_THROTTLED') return 'throttled'
  return code === 'OFFICIAL_ERROR' ? 'failed' : 'refused'
}

/**
 * Codes for media that never came or went. On calls whose audio the service carries itself this is MEDIA_TIMEOUT
 * ([calls.states.13]).
 */
const MEDIA_CODES: ReadonlySet<number | null> = new Set([138021, 138022, 138023])

/** The code that a call shows when upstream ended it with this error. */
export function shownCodeOf(upstreamCode: number | null): string {
  if (MEDIA_CODES.has(upstreamCode)) return 'MEDIA_TIMEOUT'
  const { code } = (upstreamCode === null ? undefined : TABLE[upstreamCode]) ?? REFUSED
  const row = REFUSALS[code]
  return 'shownAs' in row ? row.shownAs : code
}

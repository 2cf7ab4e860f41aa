import type { FetchFailure } from '../../../net/fetch-failure.ts'
import { fieldsOf } from '../values/loose.ts'
import type { Fields } from '../../../domain/json-fields.ts'

/** Why a request to the platform failed, in upstream's words. */
export type GraphFailure =
  | {
      readonly kind: 'error'
      readonly status: number
      /** Null when the answer names none. */
      readonly code: number | null
      readonly subcode: number | null
      /** Shown to the tenant; the access token is blotted out. */
      readonly message: string
      /** What exactly was wrong, when upstream says so separately; it is part of `message` too. */
      readonly details: string | null
      /** True when upstream says that trying again may help. */
      readonly isTransient: boolean
      /** How long upstream asks to wait, ms; null when it does not say. */
      readonly waitMs: number | null
    }
  /** An answer that is not the API's: a proxy's page, a cut body. */
  | { readonly kind: 'unreadable'; readonly status: number; readonly waitMs: number | null }
  /** No answer. `isUnsent` is set when no byte of the request left. */
  | { readonly kind: 'unanswered'; readonly failure: FetchFailure; readonly isUnsent?: true }
  /** The request never left, because too many of this number wait already. */
  | { readonly kind: 'crowded' }

/** How long upstream asks to wait, ms; null when it did not answer or does not say. */
export function waitMsOf(failure: GraphFailure): number | null {
  return failure.kind === 'error' || failure.kind === 'unreadable' ? failure.waitMs : null
}

/**
 * Reads an error answer, leniently: `error_data` may be an object, a text or missing, codes may be texts. Null when the
 * answer holds no error object.
 */
export function readGraphError(
  status: number,
  body: unknown,
  accessToken: string,
  waitMs: number | null,
): GraphFailure | null {
  const error = fieldsOf(fieldsOf(body)?.['error'])
  if (!error) return null
  const details = detailsOf(error)
  return {
    kind: 'error',
    status,
    code: wholeNumber(error['code']),
    subcode: wholeNumber(error['error_subcode']),
    message: blot(messageOf(error, details), accessToken),
    details: details === null ? null : blot(details, accessToken),
    isTransient: error['is_transient'] === true,
    waitMs,
  }
}

function wholeNumber(value: unknown): number | null {
  const number =
    typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value)) ? Number(value) : NaN
  return Number.isSafeInteger(number) ? number : null
}

/** The details of an error; `error_data` is an object, a text or missing. */
function detailsOf(error: Fields): string | null {
  const data = error['error_data']
  const details = typeof data === 'string' ? data : fieldsOf(data)?.['details']
  return typeof details === 'string' && details !== '' ? details : null
}

/** The text meant for people when there is one, with the details that say what was wrong. */
function messageOf(error: Fields, details: string | null): string {
  const said =
    [error['error_user_msg'], error['message']].find((text): text is string => typeof text === 'string' && text !== '')
    ?? ''
  if (details === null || said.includes(details)) return said
  return said === '' ? details : `${said}: ${details}`
}

/** Blots a secret out, because upstream repeats a malformed token in its message. */
function blot(message: string, secret: string): string {
  return secret === '' ? message : message.replaceAll(secret, '***')
}

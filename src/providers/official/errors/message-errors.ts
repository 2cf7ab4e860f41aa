import type { MessageErrorCode, MessageFailure } from '../../../domain/message.ts'
import type { GraphFailure } from './graph-error.ts'
import { numberIn, objectIn, textIn } from '../values/loose.ts'
import type { Fields } from '../../../domain/json-fields.ts'

/**
 * Upstream code -> why a message failed ([messages.failures.1] and those after it). One row a code; any other code is
 * OFFICIAL_ERROR, with the code beside it ([official.failure-codes.2]). Our choice: 100 and 131009 (a bad parameter)
 * stay OFFICIAL_ERROR, because only their texts say whether the destination was meant.
 */
const TABLE: Readonly<Record<number, MessageErrorCode>> = {
  // The sender writes to itself; the recipient is not on the list of a test number.
  131021: 'INVALID_DESTINATION',
  131030: 'INVALID_DESTINATION',
  // This message cannot go to a user who is known by user id alone.
  131062: 'INVALID_DESTINATION',
  131026: 'CHANNEL_NOT_EXIST',
  131047: 'OFFICIAL_OUTSIDE_24H_WINDOW',
  // Templates and Flows ([templates.send-failures.1] to [templates.send-failures.12]). 132001: the template does not
  // exist in this language, or is not approved.
  132001: 'OFFICIAL_TEMPLATE_NOT_APPROVED',
  132015: 'OFFICIAL_TEMPLATE_PAUSED',
  132016: 'OFFICIAL_TEMPLATE_DISABLED',
  // Variables of another number, of another form, or with a value that upstream does not accept.
  132000: 'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH',
  132012: 'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH',
  132018: 'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH',
  132005: 'OFFICIAL_TEMPLATE_TEXT_TOO_LONG',
  132007: 'OFFICIAL_TEMPLATE_POLICY',
  141010: 'OFFICIAL_BUSINESS_NOT_VERIFIED',
  131042: 'OFFICIAL_PAYMENT_REQUIRED',
  141006: 'OFFICIAL_PAYMENT_REQUIRED',
  131037: 'OFFICIAL_DISPLAY_NAME_NOT_APPROVED',
  // The user gets no more marketing for now, or wants none.
  131049: 'OFFICIAL_MARKETING_LIMITED',
  131050: 'OFFICIAL_MARKETING_LIMITED',
  132068: 'OFFICIAL_FLOW_BLOCKED',
  132069: 'OFFICIAL_FLOW_THROTTLED',
  131052: 'OFFICIAL_MEDIA_UPLOAD_ERROR',
  131053: 'OFFICIAL_MEDIA_UPLOAD_ERROR',
  4: 'OFFICIAL_RATE_LIMITED',
  613: 'OFFICIAL_RATE_LIMITED',
  80007: 'OFFICIAL_RATE_LIMITED',
  80008: 'OFFICIAL_RATE_LIMITED',
  130429: 'OFFICIAL_RATE_LIMITED',
  131048: 'OFFICIAL_RATE_LIMITED',
  131056: 'OFFICIAL_RATE_LIMITED',
}

/** The service's code for an upstream code; null stands for an error without a code. */
export function messageErrorCodeOf(upstreamCode: number | null): MessageErrorCode {
  return (upstreamCode === null ? undefined : TABLE[upstreamCode]) ?? 'OFFICIAL_ERROR'
}

/**
 * The failure in `errors[0]` of a status, as `message.failed` shows it; null stands for a failure that upstream does
 * not explain.
 */
export function reportedFailure(error: Fields | null): MessageFailure {
  const upstreamCode = numberIn(error, 'code')
  return {
    code: messageErrorCodeOf(upstreamCode),
    message:
      textIn(error, 'message') ?? textIn(error, 'title') ?? 'The official platform could not deliver the message.',
    details: textIn(objectIn(error, 'error_data'), 'details') ?? textIn(error, 'error_data'),
    upstreamCode,
  }
}

/** Why a request failed, as the failure of its message. */
export function requestFailure(failure: GraphFailure): MessageFailure {
  switch (failure.kind) {
    case 'error':
      return {
        code: messageErrorCodeOf(failure.code),
        message: failure.message,
        details: failure.details,
        upstreamCode: failure.code,
      }
    case 'unreadable':
      return plainFailure(
        'OFFICIAL_ERROR',
        `The answer of the official platform (HTTP ${failure.status}) cannot be read.`,
      )
    case 'unanswered':
      return plainFailure('OFFICIAL_ERROR', failure.failure.message)
    case 'crowded':
      return plainFailure('OFFICIAL_RATE_LIMITED', 'Too many requests of this number wait for the official platform.')
  }
}

/** A failure without an upstream code. */
export function plainFailure(code: MessageErrorCode, message: string): MessageFailure {
  return { code, message, details: null, upstreamCode: null }
}

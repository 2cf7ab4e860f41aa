import type { CallDirection } from '../../../domain/call.ts'
import type { CallEndReason } from '../../../domain/device-bridge.ts'
import type { UpstreamFailure } from '../../../domain/errors.ts'
import { isNumberField, type NumberField } from '../../../domain/upstream-fields.ts'
import type { OfficialCallEnd, OfficialCallEvent } from '../../../ports/official/call-events.ts'
import { shownCodeOf } from '../errors/error-map.ts'
import { nameIn, numberIn, objectIn, objectsIn, secondsIn, shownNameIn, textIn, timeIn } from '../values/loose.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { parseWhole } from '../values/whole-json.ts'

/** Field -> reader of what it says of calls; null when it says nothing. */
const READERS: Readonly<Record<NumberField, ((value: Fields) => OfficialCallEvent[]) | null>> = {
  calls: callChange,
  messages: permissionEvents,
  message_echoes: null,
  smb_message_echoes: null,
}

/**
 * Reads what a change says of calls; `value` is the JSON text of a change of field `calls` or `messages`. Other fields,
 * and unknown parts of these, give nothing. Never throws.
 */
export function readCallEvents(field: string, value: string): OfficialCallEvent[] {
  const read = isNumberField(field) ? READERS[field] : null
  const fields = read && parseWhole(value)
  return fields ? read(fields) : []
}

function callChange(value: Fields): OfficialCallEvent[] {
  const calls = objectsIn(value, 'calls')
  const failures = objectsIn(value, 'errors').map(failureOf)
  const ends = calls.filter((call) => textIn(call, 'event') === 'terminate')
  // Upstream lists errors beside the calls; they belong to the call that ends, when there is one.
  const failure = ends.length === 1 ? (failures[0] ?? null) : null
  const events = [
    ...calls.flatMap((call) => callEvents(value, call, failure)),
    ...objectsIn(value, 'statuses').flatMap(statusEvents),
  ]
  return failures.length > 0 && failure === null ? [...events, { type: 'callsFailing', failures }] : events
}

function callEvents(value: Fields, call: Fields, failure: UpstreamFailure | null): OfficialCallEvent[] {
  const externalCallId = nameIn(call, 'id')
  if (externalCallId === null) return []
  switch (textIn(call, 'event')) {
    case 'connect': {
      const session = objectIn(call, 'session')
      const sdp = textIn(session, 'sdp')
      if (sdp === null) return []
      const at = timeIn(call, 'timestamp')
      if (isOffer(call, session))
        return [{ type: 'incomingCall', externalCallId, from: callerOf(value, call), sdp, fromName: nameOf(value), at }]
      return [{ type: 'callSdp', externalCallId, sdp, at }]
    }
    case 'terminate':
      return [callEnded(externalCallId, call, failure)]
    default:
      return []
  }
}

/** True for an offer. Upstream offers only calls of users; the direction decides when the session does not say. */
function isOffer(call: Fields, session: Fields | null): boolean {
  const type = textIn(session, 'sdp_type')?.toLowerCase()
  return type === 'offer' || (type !== 'answer' && directionOf(call) === 'INBOUND')
}

function directionOf(call: Fields): CallDirection | null {
  switch (textIn(call, 'direction')?.toUpperCase()) {
    case 'USER_INITIATED':
      return 'INBOUND'
    case 'BUSINESS_INITIATED':
      return 'OUTBOUND'
    default:
      return null
  }
}

/** The user's side of the call. Upstream sometimes swaps the two, and leaves the number out for users who hide it. */
function callerOf(value: Fields, call: Fields): string {
  const business = digitsOf(textIn(objectIn(value, 'metadata'), 'display_phone_number'))
  const [contact] = objectsIn(value, 'contacts')
  const ends = [nameIn(call, 'from'), nameIn(call, 'to')].map((end) => digitsOf(end) ?? end)
  const user = business === null ? ends[0] : ends.find((end) => end !== null && end !== business)
  return (
    user
    ?? digitsOf(nameIn(contact ?? null, 'wa_id'))
    ?? nameIn(call, 'from_user_id')
    ?? nameIn(contact ?? null, 'user_id')
    ?? ''
  )
}

function digitsOf(text: string | null): string | null {
  return text !== null && /^\+?[\d\s().-]+$/.test(text) ? text.replaceAll(/\D/g, '') || null : null
}

function nameOf(value: Fields): string | null {
  const [contact] = objectsIn(value, 'contacts')
  return shownNameIn(objectIn(contact ?? null, 'profile'), 'name')
}

function statusEvents(status: Fields): OfficialCallEvent[] {
  const externalCallId = nameIn(status, 'id')
  if (externalCallId === null) return []
  const at = timeIn(status, 'timestamp')
  switch (textIn(status, 'status')?.toUpperCase()) {
    case 'RINGING':
      return [{ type: 'callRinging', externalCallId, at }]
    case 'ACCEPTED':
      return [{ type: 'callAccepted', externalCallId, at }]
    case 'REJECTED':
      return [{ type: 'callEnded', externalCallId, reason: 'declined', at, end: rejection(status, at) }]
    default:
      return []
  }
}

/** The end of a declined call. Statuses come for outbound calls only. */
function rejection(status: Fields, at: Date | null): OfficialCallEnd {
  return {
    direction: 'OUTBOUND',
    isAnswered: false,
    startedAt: null,
    endedAt: at,
    durationSeconds: null,
    bizOpaqueCallbackData: textIn(status, 'biz_opaque_callback_data'),
    failure: null,
  }
}

function callEnded(externalCallId: string, call: Fields, failure: UpstreamFailure | null): OfficialCallEvent {
  const startedAt = timeIn(call, 'start_time')
  const at = timeIn(call, 'timestamp')
  const durationSeconds = secondsIn(call, 'duration')
  // Start, end and duration are there only when the call was answered; a duration of zero alone is no conversation.
  const isAnswered = startedAt !== null || (durationSeconds ?? 0) > 0
  const direction = directionOf(call)
  return {
    type: 'callEnded',
    externalCallId,
    at,
    reason: reasonOf(isAnswered, direction, failure),
    end: {
      direction,
      isAnswered,
      startedAt,
      failure,
      endedAt: timeIn(call, 'end_time') ?? at,
      durationSeconds: isAnswered ? durationSeconds : null,
      bizOpaqueCallbackData: textIn(call, 'biz_opaque_callback_data'),
    },
  }
}

/**
 * Upstream's COMPLETED and FAILED tell at best answered calls from others, so the rest decides. Our choice: an end
 * without an answer and without an error means that nobody answered (outbound) or that the caller gave up (inbound),
 * both MISSED. A refusal came as REJECTED before, or was ours.
 */
function reasonOf(
  isAnswered: boolean,
  direction: CallDirection | null,
  failure: UpstreamFailure | null,
): CallEndReason {
  if (failure) return 'failed'
  if (isAnswered) return 'hangup'
  return direction === 'INBOUND' ? 'canceled' : 'timeout'
}

/** A failure in the form that a call shows; upstream's code is part of the message. */
function failureOf(error: Fields): UpstreamFailure {
  const code = numberIn(error, 'code')
  const details = textIn(objectIn(error, 'error_data'), 'details') ?? textIn(error, 'error_data')
  const said = textIn(error, 'message') ?? textIn(error, 'title') ?? ''
  const message = details === null || said.includes(details) ? said : `${said}: ${details}`
  return {
    code: shownCodeOf(code),
    message: code === null || message.includes(String(code)) ? message : `(#${code}) ${message}`,
    retryable: false,
  }
}

type PermissionStatus = (OfficialCallEvent & { type: 'permissionChanged' })['status']

const REFUSALS: ReadonlySet<string> = new Set(['reject', 'rejected', 'revoke', 'revoked'])

/** Replies to permission requests in a change of field `messages`; other messages say nothing of calls. */
function permissionEvents(value: Fields): OfficialCallEvent[] {
  const [contact] = objectsIn(value, 'contacts')
  return objectsIn(value, 'messages').flatMap((message) => {
    const reply = objectIn(objectIn(message, 'interactive'), 'call_permission_reply')
    const status = reply && statusOf(reply)
    const peer =
      nameIn(message, 'from')
      ?? nameIn(contact ?? null, 'wa_id')
      ?? nameIn(message, 'from_user_id')
      ?? nameIn(contact ?? null, 'user_id')
    if (!status || peer === null) return []
    // Only a temporary permission has an end.
    const expiresAt = status === 'TEMPORARY' ? timeIn(reply, 'expiration_timestamp') : null
    return [{ type: 'permissionChanged', peer, status, expiresAt, at: timeIn(message, 'timestamp') }]
  })
}

/**
 * The status of a permission. Upstream says accept or reject, and whether it is permanent. An answer of an unknown kind
 * changes nothing.
 */
function statusOf(reply: Fields): PermissionStatus | null {
  const response = textIn(reply, 'response')?.toLowerCase() ?? ''
  if (response === 'accept' || response === 'accepted')
    return reply['is_permanent'] === true || reply['is_permanent'] === 'true' ? 'PERMANENT' : 'TEMPORARY'
  return REFUSALS.has(response) ? 'NO_PERMISSION' : null
}
